// Sums the files that docker/Dockerfile puts on top of its base, without an engine: `node tools/image-size.mjs [MB]`; exits
// with 1 above the budget. It needs a build and the packages that are installed.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { keptPackages } from './image-packages.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const BUDGET_MB = Number(process.argv[2] ?? 90);
/** What the build stage of the Dockerfile deletes: the files that no program reads. */
const DELETED = /\.(map|[cm]?ts|md|tsbuildinfo)$/;
/** The folders of ours whose compiled files are more than parts of bundles. */
const STARTED = ['apps/runner', 'libs/conditions'];

/** Bytes of the kept files below a folder, without the folders of the given names. */
function bytesBelow(folder, without) {
  if (!existsSync(folder)) return 0;
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sum + (without.includes(entry.name) ? 0 : bytesBelow(path, without));
    return entry.isFile() && !DELETED.test(entry.name) ? sum + statSync(path).size : sum;
  }, 0);
}

const installed = [...keptPackages()].map((path) => {
  const without = path.includes('@opentelemetry') ? ['node_modules', 'esm', 'esnext'] : ['node_modules'];
  return { name: relative(ROOT, path), bytes: bytesBelow(path, without) };
});
const own = ['apps', 'libs'].map((name) => ({
  name,
  bytes: bytesBelow(join(ROOT, name), ['node_modules', 'src', 'test', 'dist']),
}));
for (const path of STARTED) own[0].bytes += bytesBelow(join(ROOT, path, 'dist/src'), []);
const built = { name: 'dist', bytes: bytesBelow(join(ROOT, 'dist'), []) };

const parts = [{ name: 'node_modules', bytes: installed.reduce((sum, { bytes }) => sum + bytes, 0) }, ...own, built];
const inMb = (bytes) => (bytes / 1e6).toFixed(1).padStart(7);
for (const { name, bytes } of parts) console.log(`${inMb(bytes)} MB  ${name}`);
for (const { name, bytes } of installed.toSorted((a, b) => b.bytes - a.bytes).slice(0, 8))
  console.log(`${inMb(bytes)} MB    ${name}`);
const total = parts.reduce((sum, { bytes }) => sum + bytes, 0);
console.log(`${inMb(total)} MB  of ${BUDGET_MB}`);
if (total > BUDGET_MB * 1e6) process.exitCode = 1;
