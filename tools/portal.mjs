// Bundles the portal into dist/portal: hashed files with compressed twins, and one page. Fails when a budget is exceeded.
//   node tools/portal.mjs [--force]
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const HERE = join(ROOT, 'apps/portal');
const OUT = join(ROOT, 'dist/portal');
const ASSETS = join(OUT, 'assets');
const KB = 1024;
/** Compressed bytes: all that the first page loads but its font, the font, each further chunk, and that of the editor. */
const BUDGETS = { first: 60 * KB, font: 50 * KB, chunk: 25 * KB, editor: 160 * KB };
/** The module that the editor begins with. */
const EDITOR = 'src/parts/editor/codemirror.ts';

const require = createRequire(import.meta.url);
const FONT = require.resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2');

function* filesBelow(directory) {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else yield path;
  }
}

/** Names, sizes and times of everything that is bundled. */
function fingerprint() {
  const hash = createHash('sha256');
  const sdk = join(ROOT, 'libs/sdk/src');
  const lock = join(ROOT, 'package-lock.json');
  const files = [...filesBelow(join(HERE, 'src')), ...filesBelow(join(HERE, 'public')), ...filesBelow(sdk)];
  for (const path of [...files, lock, fileURLToPath(import.meta.url)].sort())
    hash.update(`${path}\0${statSync(path).size}\0${statSync(path).mtimeMs}\n`);
  return hash.digest('hex');
}

const mark = join(OUT, '.inputs');
const inputs = fingerprint();
const isCurrent = existsSync(mark) && readFileSync(mark, 'utf8') === inputs;
if (isCurrent && !process.argv.includes('--force')) process.exit(0);

rmSync(OUT, { recursive: true, force: true });
mkdirSync(ASSETS, { recursive: true });
const { outputFiles, metafile } = await build({
  absWorkingDir: HERE,
  entryPoints: { app: 'src/main.tsx', style: 'src/style/all.css' },
  outdir: ASSETS,
  bundle: true,
  splitting: true,
  format: 'esm',
  target: 'es2022',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  minify: true,
  metafile: true,
  write: false,
  external: ['/assets/*'],
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  define: { 'process.env.NODE_ENV': '"production"' },
  logLevel: 'error',
});

const sizes = new Map();
function emit(name, bytes) {
  const path = join(ASSETS, name);
  writeFileSync(path, bytes);
  if (/\.(woff2)$/.test(name)) return void sizes.set(name, bytes.length);
  const zipped = gzipSync(bytes, { level: 9 });
  writeFileSync(`${path}.gz`, zipped);
  writeFileSync(`${path}.br`, brotliCompressSync(bytes));
  sizes.set(name, zipped.length);
}

for (const { path, contents } of outputFiles) emit(path.slice(ASSETS.length + 1), contents);
for (const name of readdirSync(join(HERE, 'public'))) emit(name, readFileSync(join(HERE, 'public', name)));
emit('inter-latin.woff2', readFileSync(FONT));
emit('inter-LICENSE.txt', readFileSync(join(dirname(FONT), '../LICENSE')));

const nameOf = (prefix, ending) => [...sizes.keys()].find((name) => name.startsWith(prefix) && name.endsWith(ending));
const app = nameOf('app-', '.js');
const style = nameOf('style-', '.css');
/** What the entry loads at once. */
function reached(output, found = new Set()) {
  if (found.has(output)) return found;
  found.add(output);
  for (const { path, kind } of metafile.outputs[output].imports) if (kind === 'import-statement') reached(path, found);
  return found;
}
const entry = Object.keys(metafile.outputs).find((path) => path.endsWith(app));
const namesOf = (outputs) => [...outputs].map((path) => path.split('/').pop());
const first = namesOf(reached(entry));
const editorEntry = Object.keys(metafile.outputs).find((path) => metafile.outputs[path].entryPoint === EDITOR);
const editorParts = namesOf(reached(editorEntry)).filter((name) => !first.includes(name));

writeFileSync(
  join(OUT, 'index.html'),
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Signalbox</title>
<link rel="icon" href="/assets/icon.svg">
<link rel="preload" href="/assets/inter-latin.woff2" as="font" type="font/woff2" crossorigin>
<script src="/assets/theme.js"></script>
<link rel="stylesheet" href="/assets/${style}">
<script type="module" src="/assets/${app}"></script>
</head>
<body><div id="app"></div><noscript>The portal needs JavaScript.</noscript></body>
</html>
`,
);

const bytesOf = (names) => names.reduce((sum, name) => sum + (sizes.get(name) ?? 0), 0);
const firstBytes = bytesOf([...first, style, 'theme.js']);
const editor = bytesOf(editorParts);
const chunks = [...sizes].filter(
  ([name]) => name.endsWith('.js') && ![...first, ...editorParts, 'theme.js'].includes(name),
);
const largest = Math.max(0, ...chunks.map(([, bytes]) => bytes));
const kb = (bytes) => `${(bytes / KB).toFixed(1)} kB`;
console.log(
  `portal: first load ${kb(firstBytes)}, font ${kb(sizes.get('inter-latin.woff2'))}, editor ${kb(editor)}, ${chunks.length} further files of at most ${kb(largest)} (compressed)`,
);
const exceeded = [
  firstBytes > BUDGETS.first && `the first load has ${kb(firstBytes)}, at most ${kb(BUDGETS.first)}`,
  sizes.get('inter-latin.woff2') > BUDGETS.font && 'the font is too large',
  editor > BUDGETS.editor && `the editor has ${kb(editor)}, at most ${kb(BUDGETS.editor)}`,
  largest > BUDGETS.chunk && `a page has ${kb(largest)}, at most ${kb(BUDGETS.chunk)}`,
].filter(Boolean);
if (exceeded.length > 0) {
  console.error(`portal: over its budget: ${exceeded.join('; ')}`);
  process.exit(1);
}
writeFileSync(mark, inputs);
