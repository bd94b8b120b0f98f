import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT, ServiceProcess } from '@signalbox/testing';

const folder = mkdtempSync(join(tmpdir(), 'jail-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const moduleOf = (code: string): string => `data:text/javascript,${encodeURIComponent(code)}`;

describe('a runner that is started with SCRIPT_JAIL_MIN', () => {
  /** What a process sees of a machine without the programs that make jails, whoever its user is. */
  const withoutPrograms = moduleOf(`
    import fs from 'node:fs';
    import { syncBuiltinESMExports } from 'node:module';
    const { existsSync } = fs;
    const missing = ['setpriv', 'unshare', 'prlimit'].map((name) => '/usr/bin/' + name);
    fs.existsSync = (path) => !missing.includes(path) && existsSync(path);
    syncBuiltinESMExports();
  `);

  it('refuses to start where the system permits less, and says which it permits', async () => {
    const log = join(folder, 'runner.log');
    const env = {
      NATS_URL: 'nats://127.0.0.1:1',
      SCRIPT_JAIL_MIN: 'limits',
      NODE_OPTIONS: `--import=${withoutPrograms}`,
    };
    const runner = new ServiceProcess('runner', env, log);
    await expect(runner.start()).rejects.toThrow('runner ended with 1');
    expect(readFileSync(log, 'utf8')).toContain(
      "this system permits child processes the jail 'none' only, and SCRIPT_JAIL_MIN is 'limits': no script runs",
    );
  }, 120_000);
});

describe('the users of scripts of a runner that is root', () => {
  /** The user of the first slot, in a runner that has the number of process of every other container. */
  function userOfFirstSlot(): string {
    const code = `
      Object.defineProperty(process, 'pid', { value: 7 });
      const { OF_MACHINE } = await import(${JSON.stringify(`${ROOT}apps/runner/dist/src/pool/jail.js`)});
      const user = OF_MACHINE.find(({ level }) => level === 'user').commandOf(1);
      console.log(user.find((word) => word.startsWith('--reuid=')));`;
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', code], {
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    return stdout.trim();
  }
  /** In a user namespace with few users there are no blocks. */
  const hasBlocks = readFileSync('/proc/self/uid_map', 'latin1').trim().split(/\s+/).at(-1) === '4294967295';

  it('are others than those of a runner in another container of the machine', () => {
    const [one, other] = [userOfFirstSlot(), userOfFirstSlot()];
    expect(one).toMatch(/^--reuid=\d+$/);
    if (hasBlocks) expect(one).not.toBe(other);
    else expect(one).toBe('--reuid=61001');
  }, 60_000);
});
