import { MAX_CHAIN_DEPTH } from '@signalbox/contracts';
import { argumentLimits, HostCallMemory, HostCalls } from './host-calls.js';
import { MAX_HOST_VALUE_LENGTH } from './script-lines.js';

const MIB = 1024 * 1024;
const DEPTHS = Array.from({ length: MAX_CHAIN_DEPTH + 1 }, (_, depth) => depth);
const [ONE, OTHER] = [1, 2];
const LARGEST = MAX_HOST_VALUE_LENGTH * 4;

async function admitted(memory: HostCallMemory, company: number, depths: number[], bytes: number): Promise<number> {
  let count = 0;
  for (const depth of depths)
    void memory
      .arguments(depth)
      .take(company, {}, bytes, new AbortController().signal)
      .then(() => count++);
  await new Promise((resolve) => setImmediate(resolve));
  return count;
}

describe('the memory of arguments of a company', () => {
  it('is bounded over all depths of nesting together', async () => {
    expect(DEPTHS.reduce((sum, depth) => sum + argumentLimits(depth).perCompany, 0)).toBe(176 * MIB);
    const asked = DEPTHS.flatMap((depth) => Array.from({ length: 100 }, () => depth));
    expect(await admitted(new HostCallMemory(), ONE, asked, MIB)).toBe(176);
  });

  it('has room for the largest argument at each depth while the shallower ones are held', async () => {
    expect(await admitted(new HostCallMemory(), ONE, DEPTHS, LARGEST)).toBe(DEPTHS.length);
  });

  it('leaves room for that of another one at each depth', async () => {
    const memory = new HostCallMemory();
    await admitted(memory, ONE, [...DEPTHS, ...DEPTHS], LARGEST);
    expect(await admitted(memory, OTHER, DEPTHS, LARGEST)).toBe(DEPTHS.length);
  });
});

it('keeps no memory for calls of one number after their execution', async () => {
  const memory = new HostCallMemory();
  const sent: string[] = [];
  const connection = { announce: (_: string, text: string) => void sent.push(text) };
  const host = { call: () => Promise.resolve('x'.repeat(1000)), log: () => undefined, emit: () => undefined };
  const execution = { company_id: ONE, depth: 0, limits: { timeout_ms: 1000, memory_mb: 64 } };
  const { signal } = new AbortController();
  const calls = new HostCalls(host, execution, { replies: 'r', acknowledges: true }, connection, memory, signal);
  for (let n = 0; n < 3; n++) await calls.answer(1, 'artifacts.get', '["k"]');
  while (sent.length < 3) await new Promise((resolve) => setImmediate(resolve));
  calls.close();
  expect(memory.transit.takeFree(ONE, {}, 24 * MIB)).toBeDefined();
});
