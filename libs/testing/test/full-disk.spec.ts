import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { openSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { eventually, ROOT } from '@signalbox/testing';
import { writeServerLog } from '@signalbox/servers';

/** A program that logs without end, and replies to each line of its input with the number of dropped lines. */
const PROGRAM = `
import { createLogger, logLinesDropped } from '${ROOT}libs/platform/dist/src/index.js';
const logger = createLogger('chatty', 'info');
setInterval(() => { for (let at = 0; at < 200; at++) logger.info({ text: 'x'.repeat(200) }, 'chatter'); }, 5);
process.stdin.on('data', async () => {
  const { values } = await logLinesDropped.get();
  process.stderr.write(String(values[0]?.value ?? 0) + '\\n');
});
`;

describe('a log on a full disk', () => {
  let place: string;
  let mounted = false;
  let child: ChildProcess | undefined;
  beforeEach(async () => {
    place = await mkdtemp(join(tmpdir(), 'full-disk-'));
    mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', place]).status === 0;
  });
  afterEach(async () => {
    child?.kill('SIGKILL');
    if (child?.exitCode === null && child.signalCode === null)
      await new Promise((resolve) => child?.once('exit', resolve));
    child = undefined;
    if (mounted) spawnSync('umount', ['-l', place]);
    await rm(place, { recursive: true, force: true });
  });
  const skipped = (): boolean => {
    if (!mounted) process.emitWarning('skipped: no file system may be mounted here');
    return !mounted;
  };
  const fill = (): string => {
    const { bavail, bsize } = statfsSync(place);
    writeFileSync(join(place, 'filler'), Buffer.alloc(bavail * bsize));
    return join(place, 'filler');
  };

  it('costs lines, which are counted, and not the process', async () => {
    if (skipped()) return;
    const file = join(place, 'log');
    child = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM], {
      stdio: ['pipe', openSync(file, 'a'), 'pipe'],
    });
    const chatty = child;
    const dropped = (): Promise<number> =>
      new Promise((resolve) => {
        chatty.stderr?.once('data', (text: Buffer) => resolve(Number(text.toString())));
        chatty.stdin?.write('?\n');
      });
    const filler = fill();
    await eventually('lines are dropped', async () => (await dropped()) > 1000);
    expect(chatty.exitCode).toBeNull();
    const before = readFileSync(file).length;
    rmSync(filler);
    await eventually('lines are written again', () => readFileSync(file).length > before + 500_000);
    expect(chatty.exitCode).toBeNull();
  }, 60_000);

  it('of a server is written again once there is space, and reports how many lines are lost', async () => {
    if (skipped()) return;
    const file = join(place, 'server.log');
    const output = new PassThrough();
    writeServerLog('server', output, file);
    const filler = fill();
    for (let line = 0; line < 20_000; line++) output.write(`${'y'.repeat(100)}\n`);
    await new Promise((resolve) => setImmediate(resolve));
    rmSync(filler);
    await eventually('the log reports it', () => /lines were dropped/.test(readFileSync(file, 'utf8')));
    output.write('the last line\n');
    await eventually('it continues', () => readFileSync(file, 'utf8').includes('the last line'));
  }, 60_000);
});
