import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { nodeFlagsOf } from '@signalbox/servers';
import { ROOT } from '@signalbox/testing';

const SERVICES = join(ROOT, 'dist/services');
const LOADER = pathToFileURL(join(SERVICES, 'load.mjs')).href;

const outputOf = async <T>(...args: string[]): Promise<T> =>
  JSON.parse((await promisify(execFile)(process.execPath, args)).stdout) as T;

/** The file of the bundle that contains TypeORM and its module for Nest; to load it starts nothing. */
async function typeormFile(): Promise<string> {
  for (const name of (await readdir(SERVICES)).filter((each) => each.endsWith('.cjs'))) {
    if ((await readFile(join(SERVICES, name), 'utf8')).includes('resolveTypeormExport')) return name;
  }
  throw new Error('no file of the bundle contains the TypeORM module of Nest');
}

/** Reports the TypeORM files that were loaded as a package, and functions whose properties are in a separate table. */
const REPORT = `
  import Module from 'node:module';
  const isRenamed = (each) => /^(?:async )?function\\*? *(\\w+)/.exec(each)?.[1] !== each.name;
  const { load } = await import(process.argv[1]);
  const exported = Object.values(load('agents', [process.argv[2]]));
  const functions = exported.filter((each) => typeof each === 'function' && !String(each).startsWith('class'));
  console.log(JSON.stringify({
    functions: functions.length,
    packaged: Object.keys(Module._cache).filter((file) => file.includes('/node_modules/typeorm/')),
    slow: functions.filter((each) => !%HasFastProperties(each) && !isRenamed(each)).map(({ name }) => name),
  }));`;

/** The module with the migrations of a service. */
interface Schema {
  schema: { migrations: (new () => { name: string })[] };
}

interface Loaded {
  functions: number;
  packaged: string[];
  slow: string[];
}

/** Reports whether V8 uses the stored code of each file that a service loads. */
const ACCEPTED = `
  const { load } = await import(process.argv[1]);
  const used = {};
  load(process.argv[2], [process.argv[3]], (name, script) => (used[name] = script.cachedDataRejected === false));
  console.log(JSON.stringify(used));
  process.exit(0);`;

/** The main file of a program. */
const fileOf = async (program: string): Promise<string> =>
  (await readdir(SERVICES)).find((name) => new RegExp(`^${program}-[A-Z0-9]{8}\\.cjs$`).test(name)) ?? '';

/** Whether the stored code of each file is used by a process of a service with these flags. */
async function storedCode(service: string, flags: string[]): Promise<boolean[]> {
  const file = await fileOf(service);
  const [, group = ''] = /load\('([^']+)'/.exec(await readFile(join(SERVICES, `${service}.js`), 'utf8')) ?? [];
  const args = [...flags, '--input-type=module', '--eval', ACCEPTED, LOADER, group, file];
  return Object.values(await outputOf<Record<string, boolean>>(...args));
}

/** Reports the files of packages that a program loads. */
const PACKAGED = `
  import Module from 'node:module';
  const { load } = await import(process.argv[1]);
  load('', [process.argv[2]]);
  console.log(JSON.stringify(Object.keys(Module._cache).filter((file) => file.includes('/node_modules/'))));
  process.exit(0);`;

/** The folders of the packages that are in the image. */
async function packagesOfImage(): Promise<string[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [join(ROOT, 'tools/image-packages.mjs')]);
  return stdout.trim().split('\n');
}

/** Reports whether a bundle of two inputs is current as it is, with an input that has changed, and with other flags. */
const REMADE = `
  import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
  const { isCurrent, recordInputs } = await import(process.argv[1]);
  const root = mkdtempSync(process.argv[2] + '/bundle-');
  mkdirSync(root + '/tools/bundle', { recursive: true });
  for (const name of ['one.js', 'two.js']) writeFileSync(root + '/' + name, name);
  const made = isCurrent(root, root, []);
  recordInputs(root, root, [], ['one.js', 'two.js']);
  const [recorded, flags] = [isCurrent(root, root, []), isCurrent(root, root, ['--flag'])];
  writeFileSync(root + '/two.js', 'other text');
  console.log(JSON.stringify([made, recorded, flags, isCurrent(root, root, [])]));`;

describe('the bundles of the services', () => {
  let loaded: Loaded;

  beforeAll(async () => {
    const args = ['--allow-natives-syntax', '--input-type=module', '--eval', REPORT, LOADER, await typeormFile()];
    loaded = await outputOf<Loaded>(...args);
  });

  it('contain TypeORM, and load no second copy of it', () => {
    expect(loaded.packaged).toEqual([]);
  });

  it('keep the properties of functions in their compact form', () => {
    expect(loaded.functions).toBeGreaterThan(5);
    expect(loaded.slow).toEqual([]);
  });

  it.each(['gateway', 'traffic', 'agents', 'workflows', 'runner', 'migrate', 'cli'])(
    'load no package in %s that the image leaves out',
    async (program) => {
      const kept = (await packagesOfImage()).map((folder) => `${join(ROOT, folder)}/`);
      const args = ['--input-type=module', '--eval', PACKAGED, LOADER, await fileOf(program)];
      const loaded = await outputOf<string[]>(...args);
      expect(loaded.length).toBeGreaterThan(0);
      expect(loaded.filter((file) => !kept.some((folder) => file.startsWith(folder)))).toEqual([]);
    },
  );

  it('show why a service does not start without the source of the bundle', async () => {
    const failed = promisify(execFile)(process.execPath, [join(SERVICES, 'agents.js')], { env: {} });
    const { stderr } = (await failed.catch((error: unknown) => error)) as { stderr: string };
    expect(stderr).toMatch(/^Error: settings: NATS_URL is missing/);
    expect(Math.max(...stderr.split('\n').map((line) => line.length))).toBeLessThan(300);
  });

  it('contain every migration of each service, in the order of their names', async () => {
    const apps = (await readdir(join(ROOT, 'apps'))).filter((app) =>
      existsSync(join(ROOT, 'apps', app, 'src/migrations')),
    );
    expect(apps.length).toBeGreaterThan(6);
    for (const app of apps) {
      const { schema } = (await import(pathToFileURL(join(SERVICES, `${app}.migrations.js`)).href)) as Schema;
      const files = (await readdir(join(ROOT, 'apps', app, 'src/migrations'))).filter((file) => /^\d/.test(file));
      const numbers = schema.migrations.map((Migration) => /\d+$/.exec(new Migration().name)?.[0]);
      expect({ app, numbers }).toEqual({ app, numbers: files.map((file) => file.split('-')[0]).sort() });
    }
  });

  it.each(['gateway', 'agents', 'monitors', 'cli'])('are not compiled anew when %s starts', async (service) => {
    const used = await storedCode(service, service === 'cli' ? [] : nodeFlagsOf(service));
    expect(used.length).toBeGreaterThan(0);
    expect(used).not.toContain(false);
  });

  it('share what is compiled among the programs with the same flags', async () => {
    const stored = (await readdir(SERVICES)).filter((name) => name.endsWith('.cache'));
    const flags = (await readdir(join(ROOT, 'apps')))
      .filter((app) => app !== 'cli')
      .map((app) => nodeFlagsOf(app).join());
    expect(stored.length).toBe(new Set(flags).size + 1);
  });

  it('are compiled by a process with other flags, which cannot use what is stored', async () => {
    const used = await storedCode('agents', ['--max-old-space-size=300']);
    expect(used.length).toBeGreaterThan(3);
    expect(used).not.toContain(true);
  });

  it('are made again only when an input, a flag or a service has changed', async () => {
    const inputs = pathToFileURL(join(ROOT, 'tools/bundle/inputs.mjs')).href;
    const found = await outputOf<boolean[]>('--input-type=module', '--eval', REMADE, inputs, tmpdir());
    expect(found).toEqual([false, true, false, false]);
  });
});
