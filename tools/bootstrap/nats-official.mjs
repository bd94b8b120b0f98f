import { createHash } from 'node:crypto';
import { chmodSync, copyFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:https';
import { join } from 'node:path';
import { CACHE, run, say } from './repository.mjs';

const VERSION = '2.12.8';
const RELEASE = `https://github.com/nats-io/nats-server/releases/download/v${VERSION}`;
const CONNECT_LIMIT_MS = 5000;
const SILENCE_LIMIT_MS = 15_000;
const SIZE_LIMIT = 100 * 1024 * 1024;
const ARCHITECTURES = { x64: 'amd64', arm64: 'arm64', arm: 'arm7', ia32: '386', ppc64: 'ppc64le', s390x: 's390x' };

/** Downloads over https only, redirects included; times out soon without a reply. */
function download(url, redirects = 5) {
  return new Promise((resolve, reject) => {
    if (!url.startsWith('https://')) return reject(new Error('the download was redirected away from https'));
    const request = get(url, { headers: { 'user-agent': 'signalbox' } }, (response) => {
      clearTimeout(connecting);
      const { statusCode, headers } = response;
      if (statusCode >= 300 && statusCode < 400 && headers.location && redirects > 0) {
        response.resume();
        return resolve(download(new URL(headers.location, url).href, redirects - 1));
      }
      if (statusCode !== 200) return request.destroy(new Error(`${new URL(url).host} answered ${statusCode}`));
      const chunks = [];
      let size = 0;
      response.on('data', (chunk) => {
        chunks.push(chunk);
        if ((size += chunk.length) > SIZE_LIMIT) request.destroy(new Error('the download is too large'));
      });
      response.on('end', () => resolve(Buffer.concat(chunks)));
      response.on('error', reject);
    });
    const connecting = setTimeout(() => request.destroy(new Error('no connection in time')), CONNECT_LIMIT_MS);
    request.setTimeout(SILENCE_LIMIT_MS, () => request.destroy(new Error('the download stopped')));
    request.on('error', (error) => {
      clearTimeout(connecting);
      reject(error);
    });
  });
}

function checksumOf(name, sums) {
  const line = sums.split('\n').find((candidate) => candidate.trim().split(/\s+\*?/)[1] === name);
  if (line === undefined) throw new Error(`SHA256SUMS does not list ${name}`);
  return line.trim().split(/\s+/)[0].toLowerCase();
}

/** Fetches the official release of nats-server, checked against its published sums. */
export async function fetchOfficialRelease(target) {
  const architecture = ARCHITECTURES[process.arch];
  if (!['linux', 'darwin'].includes(process.platform) || !architecture) {
    throw new Error(`there is no official nats-server archive known for ${process.platform} ${process.arch}`);
  }
  const name = `nats-server-v${VERSION}-${process.platform}-${architecture}`;
  say(`fetching nats-server ${VERSION} (official release)`);
  const staging = mkdtempSync(join(CACHE, 'nats-'));
  try {
    const sums = (await download(`${RELEASE}/SHA256SUMS`)).toString();
    const archive = await download(`${RELEASE}/${name}.tar.gz`);
    const sum = createHash('sha256').update(archive).digest('hex');
    if (sum !== checksumOf(`${name}.tar.gz`, sums)) throw new Error('its checksum is wrong');
    writeFileSync(join(staging, 'archive.tar.gz'), archive);
    await run('tar', ['-xzf', 'archive.tar.gz'], { cwd: staging });
    install(join(staging, name, 'nats-server'), target);
  } catch (error) {
    throw new Error(`the official nats-server release could not be used: ${error.message || error.code}`);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/** Moves an executable to its path atomically, so that no process sees a partial file. */
export function install(source, target) {
  const aside = `${target}.${process.pid}`;
  copyFileSync(source, aside);
  chmodSync(aside, 0o755);
  renameSync(aside, target);
}
