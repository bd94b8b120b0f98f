import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { ROOT } from '@signalbox/testing';

const SERVICES = join(ROOT, 'dist/services');

/** The file of the bundle that contains TypeORM and its module for Nest; to load it starts nothing. */
async function typeormFile(): Promise<string> {
  for (const name of await readdir(SERVICES)) {
    const file = join(SERVICES, name);
    if ((await readFile(file, 'utf8')).includes('resolveTypeormExport')) return pathToFileURL(file).href;
  }
  throw new Error('no file of the bundle contains the TypeORM module of Nest');
}

/** Reports the TypeORM files that were loaded as a package, and functions whose properties are in a separate table. */
const REPORT = `
  import Module from 'node:module';
  const isRenamed = (each) => /^(?:async )?function\\*? *(\\w+)/.exec(each)?.[1] !== each.name;
  const exported = Object.values(await import(process.argv[1]));
  const functions = exported.filter((each) => typeof each === 'function' && !String(each).startsWith('class'));
  console.log(JSON.stringify({
    functions: functions.length,
    packaged: Object.keys(Module._cache).filter((file) => file.includes('/node_modules/typeorm/')),
    slow: functions.filter((each) => !%HasFastProperties(each) && !isRenamed(each)).map(({ name }) => name),
  }));`;

interface Loaded {
  functions: number;
  packaged: string[];
  slow: string[];
}

describe('the bundles of the services', () => {
  let loaded: Loaded;

  beforeAll(async () => {
    const args = ['--allow-natives-syntax', '--input-type=module', '--eval', REPORT, await typeormFile()];
    loaded = JSON.parse((await promisify(execFile)(process.execPath, args)).stdout) as Loaded;
  });

  it('contain TypeORM, and load no second copy of it', () => {
    expect(loaded.packaged).toEqual([]);
  });

  it('keep the properties of functions in their compact form', () => {
    expect(loaded.functions).toBeGreaterThan(10);
    expect(loaded.slow).toEqual([]);
  });
});
