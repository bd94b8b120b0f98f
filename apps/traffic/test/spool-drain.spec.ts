import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '@signalbox/platform';
import { eventually } from '@signalbox/testing';
import { Spool } from '../src/request-log/spool.js';
import { SpoolDrain } from '../src/request-log/spool-drain.js';

const LIMIT_MS = 60_000;
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'spool-drain-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it('lets a read wait for the lines of its companies only', async () => {
  const spool = await Spool.open(folder, () => undefined);
  const stored: string[] = [];
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const store = {
    store: async (lines: readonly string[]) => {
      await released;
      stored.push(...lines);
    },
    handOver: () => Promise.resolve(),
  };
  const drain = new SpoolDrain(spool, store, createLogger('test', 'silent'));
  const add = async (companyId: number, line: string): Promise<void> => {
    await spool.append(line);
    drain.lineAdded(companyId);
  };
  await add(1, 'flood');
  expect(drain.settle(LIMIT_MS, [2])).toBeNull();
  const waiting = [drain.settle(LIMIT_MS, [1]), drain.settle(LIMIT_MS, [2, 1]), drain.settle(LIMIT_MS)];
  expect(waiting.every((each) => each !== null)).toBe(true);
  await add(2, 'own');
  const own = drain.settle(LIMIT_MS, [2]);
  expect(own).not.toBeNull();
  release();
  await Promise.all([...waiting, own]);
  expect(stored).toEqual(['flood', 'own']);
  await eventually('nothing is pending', () => drain.settle(LIMIT_MS) === null);
  expect(drain.settle(LIMIT_MS, [1, 2])).toBeNull();
  await drain.stop();
  await spool.close();
});
