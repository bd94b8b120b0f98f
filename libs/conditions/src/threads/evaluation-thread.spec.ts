import { createHash } from 'node:crypto';
import { availableParallelism, setPriority } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { EvaluationReply, EvaluationRequest } from './evaluation.js';
import { EvaluationThread } from './evaluation-thread.js';
import { cpuMsOf } from './thread-time.js';

const FAR_MS = 60_000;
const BUSY_MS = 20;
const started: EvaluationThread[] = [];
async function start(): Promise<EvaluationThread> {
  const thread = await EvaluationThread.start();
  started.push(thread);
  return thread;
}
afterEach(async () => {
  for (const thread of started.splice(0)) await thread.end();
});

/** Takes time that grows with the text, whose hashes have no period: a regular text has few states. */
function matching(bytes: number): EvaluationRequest {
  const hashes = Array.from({ length: bytes / 64 }, (_, n) => createHash('sha256').update(`${n}`).digest('hex'));
  return {
    id: 1,
    kind: 'text',
    input: { operator: 'matches', pattern: '.*[0-7].{300}x', text: `x${hashes.join('')}` },
  };
}
const PLAIN: EvaluationRequest = { id: 1, kind: 'pattern', input: { pattern: 'a' } };
const NO_MATCH: EvaluationReply = { id: 1, output: false };

describe('the budget of an evaluation', () => {
  it('is CPU time: a thread that waits for a processor is not refused', async () => {
    if (process.platform !== 'linux') return;
    const request = matching(15_360);
    const [thread, ...busy] = await Promise.all(Array.from({ length: 1 + 2 * availableParallelism() }, start));
    await thread!.ask(request, { cpuMs: FAR_MS, wallMs: FAR_MS });
    const used = cpuMsOf(thread!.id)!;
    await thread!.ask(request, { cpuMs: FAR_MS, wallMs: FAR_MS });
    const budgetMs = 3 * (cpuMsOf(thread!.id)! - used);

    setPriority(thread!.id!, 8);
    const cpuBefore = busy.map(({ id }) => cpuMsOf(id)!);
    const others = busy.map((each) => each.ask(matching(6_400_000), { cpuMs: FAR_MS, wallMs: FAR_MS }));
    while (busy.some(({ id }, at) => cpuMsOf(id)! < cpuBefore[at]! + BUSY_MS)) await delay(BUSY_MS);
    const starved = performance.now();
    expect(await thread!.ask(request, { cpuMs: budgetMs, wallMs: FAR_MS })).toEqual(NO_MATCH);
    // It took longer than its budget, so a wall clock would have refused it.
    expect(performance.now() - starved).toBeGreaterThan(budgetMs);
    await Promise.all(busy.map((each) => each.end()));
    await Promise.all(others);
  });

  it('ends an evaluation that has used it up, long before the time it may wait', async () => {
    const thread = await start();
    const began = performance.now();
    expect(await thread.ask(matching(6_400_000), { cpuMs: 50, wallMs: FAR_MS })).toBeNull();
    expect(performance.now() - began).toBeLessThan(FAR_MS / 4);
  });

  it('ends an evaluation that waits too long for a processor', async () => {
    const thread = await start();
    expect(await thread.ask(matching(6_400_000), { cpuMs: FAR_MS, wallMs: 0 })).toBeNull();
  });

  it('does not refuse a reply that arrived while the event loop of the caller stood still', async () => {
    const thread = await start();
    await thread.ask(PLAIN, { cpuMs: FAR_MS, wallMs: FAR_MS });
    // The timers of the event loop come next, before the messages that arrive during the pause.
    await new Promise((resolve) => setImmediate(resolve));
    const reply = thread.ask(PLAIN, { cpuMs: 50, wallMs: 50 });
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
    expect(await reply).toEqual({ id: 1, output: null });
  });
});
