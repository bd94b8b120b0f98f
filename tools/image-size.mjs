// Sums the files that docker/Dockerfile puts on top of its base, without an engine: `node tools/image-size.mjs [MB]`; exits
// with 1 above the budget. It needs a build and the packages that are installed.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const BUDGET_MB = Number(process.argv[2] ?? 170);
/** What the build stage of the Dockerfile deletes: the files that no program reads. */
const DELETED = /\.(map|d\.[cm]?ts|md|markdown|tsbuildinfo)$/i;
const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));

/** Bytes of the kept files below a folder, without the folders of the given names. */
function bytesBelow(folder, without) {
  if (!existsSync(folder)) return 0;
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sum + (without.includes(entry.name) ? 0 : bytesBelow(path, without));
    return entry.isFile() && !DELETED.test(entry.name) ? sum + statSync(path).size : sum;
  }, 0);
}

const installed = Object.entries(packages)
  .filter(
    ([path, { dev, optional, devOptional, link }]) =>
      path.includes('node_modules/') && !(dev || optional || devOptional || link),
  )
  .map(([path]) => ({ name: path, bytes: bytesBelow(join(ROOT, path), ['node_modules']) }));
const own = ['apps', 'libs'].map((name) => ({
  name,
  bytes: bytesBelow(join(ROOT, name), ['node_modules', 'src', 'test']),
}));
const built = { name: 'dist', bytes: bytesBelow(join(ROOT, 'dist'), []) };
// The compiled sources are in dist/src of each package.
for (const part of own)
  part.bytes += readdirSync(join(ROOT, part.name))
    .map((name) => bytesBelow(join(ROOT, part.name, name, 'dist/src'), []))
    .reduce((sum, bytes) => sum + bytes, 0);

const parts = [{ name: 'node_modules', bytes: installed.reduce((sum, { bytes }) => sum + bytes, 0) }, ...own, built];
const inMb = (bytes) => (bytes / 1e6).toFixed(1).padStart(7);
for (const { name, bytes } of parts) console.log(`${inMb(bytes)} MB  ${name}`);
for (const { name, bytes } of installed.toSorted((a, b) => b.bytes - a.bytes).slice(0, 8))
  console.log(`${inMb(bytes)} MB    ${name}`);
const total = parts.reduce((sum, { bytes }) => sum + bytes, 0);
console.log(`${inMb(total)} MB  of ${BUDGET_MB}`);
if (total > BUDGET_MB * 1e6) process.exitCode = 1;
