import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Platform } from '@signalbox/testing';
import { readCatalog } from '../../src/client/catalog.js';
import { REPOSITORY } from '../../src/launcher/services.js';

const run = promisify(execFile);
const catalog = readCatalog();

/** The rows of the page: the family as commands write it, and its example. */
const rows = readFileSync(join(REPOSITORY, 'docs/families.md'), 'utf8')
  .split('\n')
  .flatMap((line) => {
    const [, family, example] = /^\| ([A-Z][\w ]+?) *\|.*\| `(.*)` *\|$/.exec(line) ?? [];
    return family === undefined || example === undefined
      ? []
      : [{ family: family.toLowerCase().replaceAll(' ', '-'), example }];
  });

let platform: Platform;
afterAll(() => platform?.stop(), 40_000);

describe('the page of families', () => {
  it('has a row for every family', () => {
    const known = rows.map(({ family }) => family);
    expect(Object.keys(catalog).filter((family) => !known.includes(family))).toEqual([]);
  });

  it('has examples that work one after the other', async () => {
    platform = await Platform.shared([
      'accounts',
      'traffic',
      'agents',
      'workflows',
      'runner',
      'monitors',
      'test-runs',
      'training',
      'gateway',
    ]);
    const { key } = await platform.company();
    const served = rows.filter(({ family }) => Object.hasOwn(catalog, family));
    const script = `set -e
signalbox() { ${process.execPath} ${join(REPOSITORY, 'apps/cli/bin/signalbox.mjs')} "$@"; }
${served.map(({ family, example }) => `echo "# ${family}"\n${example}`).join('\n')}
echo "# end"`;
    const { stdout } = await run('bash', ['--norc', '-c', script], {
      env: { PATH: process.env.PATH, SIGNALBOX_API_KEY: key, SIGNALBOX_URL: platform.baseUrl },
    });
    const headings = stdout.split('\n').filter((line) => line.startsWith('# '));
    expect(headings).toEqual([...served.map(({ family }) => `# ${family}`), '# end']);
    expect(stdout).toContain('[simulated] hello');
  }, 240_000);
});
