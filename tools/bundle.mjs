// Joins the compiled files of every service and of the packages it uses into few files below `dist/services`: a process
// that loads two thousand modules one by one spends a second on finding them.
import { existsSync, readdirSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { nameOnlyRenamed } from './bundle/names.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const OUT = join(ROOT, 'dist/services');
const BARE = /^[^./]/;

/** A file keeps the address it was compiled to: threads, child programs and assets are found from there. */
const ownAddresses = {
  name: 'own-addresses',
  setup({ onLoad }) {
    onLoad({ filter: /\/(apps|libs)\/[^/]+\/dist\/.*\.js$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      if (!text.includes('import.meta.url')) return undefined;
      const address = `new URL(${JSON.stringify(relative(OUT, path))}, import.meta.url).href`;
      return { contents: text.replaceAll('import.meta.url', `(${address})`), loader: 'js', resolveDir: dirname(path) };
    });
  },
};

/** Packages that a library can use and that are not installed are looked for when they are used, as without a bundle. */
const optionalPackages = {
  name: 'optional-packages',
  setup({ onResolve, resolve }) {
    onResolve({ filter: BARE }, async ({ path, pluginData, ...from }) => {
      if (pluginData === 'second') return undefined;
      const { errors, ...found } = await resolve(path, { ...from, pluginData: 'second' });
      return errors.length > 0 ? { path, external: true } : found;
    });
  },
};

const LOADER = 'const require = createRequire(import.meta.url);';

/**
 * The module of `@nestjs/typeorm` that looks at runtime for classes of an older TypeORM would load all of TypeORM a
 * second time, from its package: 295 files in every process that has tables.
 */
const oneTypeorm = {
  name: 'one-typeorm',
  setup({ onLoad }) {
    onLoad({ filter: /\/@nestjs\/typeorm\/dist\/common\/typeorm-compat\.js$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      if (!text.includes(LOADER)) throw new Error(`${path} does not load TypeORM as it did; look at it anew`);
      return { contents: text.replace(LOADER, ''), loader: 'js', resolveDir: dirname(path) };
    });
  },
};

const services = readdirSync(join(ROOT, 'apps'))
  .map((name) => ({ name, entry: join(ROOT, 'apps', name, 'dist/src/main.js') }))
  .filter(({ name, entry }) => name !== 'cli' && existsSync(entry));

await rm(OUT, { recursive: true, force: true });
const { metafile } = await build({
  absWorkingDir: ROOT,
  metafile: true,
  entryPoints: services.map(({ name, entry }) => ({ in: entry, out: name })),
  outdir: OUT,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  // Nest names providers by their classes.
  keepNames: true,
  // A process holds the text of what it has loaded; functions keep their names, so stacks can still be read.
  minifyWhitespace: true,
  legalComments: 'none',
  // One folder: addresses are relative to it.
  chunkNames: 'shared-[hash]',
  // TypeORM loads the driver by its name when it connects: there must be one copy of it. Tracing is loaded only when it
  // is set, and what a bundle returns of a package in CommonJS has no named exports.
  external: ['reflect-metadata', 'pg', '@opentelemetry/*'],
  plugins: [ownAddresses, optionalPackages, oneTypeorm],
  // Packages in CommonJS call these.
  banner: {
    js: [
      // Before every class: the order of files across bundles is not that of their imports.
      "import 'reflect-metadata';",
      "import { createRequire as bundleRequireFrom } from 'node:module';",
      "import { fileURLToPath as bundlePathOf } from 'node:url';",
      'const require = bundleRequireFrom(import.meta.url);',
      'const __filename = bundlePathOf(import.meta.url);',
      "const __dirname = bundlePathOf(new URL('.', import.meta.url));",
    ].join('\n'),
  },
  logLevel: 'error',
});
await nameOnlyRenamed(Object.keys(metafile.outputs).map((file) => join(ROOT, file)));
