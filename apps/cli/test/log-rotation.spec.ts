import { appendFile, mkdtemp, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LogRotation } from '../src/launcher/supervisor/log-rotation.js';

describe('the logs of the launcher', () => {
  let directory: string;
  let said: string[];
  const rotation = () => new LogRotation(directory, (text) => said.push(text), { bytes: 1000, older: 2 });
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'logs-'));
    said = [];
  });
  afterEach(() => rm(directory, { recursive: true }));

  it('are rotated by size, and no more than the configured number of older ones is stored', async () => {
    const file = join(directory, 'agents.log');
    for (const round of ['a', 'b', 'c', 'd']) {
      await appendFile(file, round.repeat(1001));
      await rotation().pass();
    }
    expect((await readdir(directory)).sort()).toEqual(['agents.log', 'agents.log.1', 'agents.log.2']);
    expect((await stat(file)).size).toBe(0);
    expect((await readFile(`${file}.1`, 'utf8'))[0]).toBe('d');
    expect((await readFile(`${file}.2`, 'utf8'))[0]).toBe('c');
    expect(said).toEqual([]);
  });

  it('lose no line of a process with an open log', async () => {
    const file = join(directory, 'agents.log');
    const log = await open(file, 'a');
    const lines = Array.from({ length: 400 }, (_, at) => `line ${at}`);
    for (const line of lines) {
      await log.write(`${line}\n`);
      if (line.endsWith('99')) await rotation().pass();
    }
    await log.close();
    const kept = await Promise.all([`${file}.2`, `${file}.1`, file].map((each) => readFile(each, 'utf8')));
    expect(kept.join('').trim().split('\n')).toEqual(lines);
  });
});
