import { type Admission, type Needs, nextToStart, RunningCounts, startableNow } from './admission.js';
import { MemoryBudget } from './memory-budget.js';

const limits = { total: 4, perCompany: 2, reserve: 1 };
const limitsOf = () => limits;
const one = { memoryMb: 1, bytes: 1 };
function admissionOf(running: Record<number, number>, totalMb = 1_000): Admission {
  const admission = { running: new RunningCounts(), limitsOf, memory: new MemoryBudget(totalMb) };
  for (const [company, count] of Object.entries(running))
    for (let n = 0; n < count; n++) start(admission, { company: Number(company), depth: 0, ...one });
  return admission;
}
function start({ running, memory }: Admission, each: Needs): void {
  running.add(each);
  memory.take(each);
}
const waitingOf = (...companies: number[]) => companies.map((company) => ({ company, depth: 0, ...one }));

describe('the next execution', () => {
  it.each([
    ['is the first when nothing runs', waitingOf(1, 2), {}, 0],
    ['is that of the company with the fewest running', waitingOf(1, 1, 2), { 1: 1 }, 2],
    ['is the oldest of its company', waitingOf(1, 2, 2), { 1: 1, 2: 0 }, 1],
    ['is none above the share of a company', waitingOf(1), { 1: 2 }, -1],
    ['is none of a company that runs already when all slots are taken', waitingOf(3), { 1: 2, 3: 1, 2: 1 }, -1],
    ['is in the reserve for a company that has none running', waitingOf(1, 3), { 1: 2, 2: 2 }, 1],
    ['is none when the reserve is taken too', waitingOf(4), { 1: 2, 2: 2, 3: 1 }, -1],
    ['is none when none waits', [], {}, -1],
  ])('%s', (_, waiting, running: Record<number, number>, expected) => {
    const admission = admissionOf(running);
    expect(nextToStart(waiting, admission)).toBe(expected);
  });

  it('holds up no other while no process is ready for it', () => {
    const admission = admissionOf({ 2: 1 });
    const waiting = waitingOf(1, 2);
    expect(nextToStart(waiting, admission)).toBe(0);
    expect(nextToStart(waiting, admission, (index) => index !== 0)).toBe(1);
    expect(nextToStart(waiting, admission, () => false)).toBe(-1);
  });

  it('waits for memory, and those of companies that have some running wait behind it', () => {
    const admission = admissionOf({ 1: 1 }, 10);
    start(admission, { company: 2, depth: 0, memoryMb: 4, bytes: 1 });
    const [first] = waitingOf(1);
    const large = { company: 3, depth: 0, memoryMb: 6, bytes: 1 };
    expect(nextToStart([first!], admission)).toBe(0);
    expect(nextToStart([first!, large], admission)).toBe(-1);
    expect(nextToStart([first!, large, ...waitingOf(4)], admission)).toBe(2);
    expect(startableNow([first!, large, ...waitingOf(4)], admission)).toBe(1);
  });

  it('of another depth does not wait for the slots of those that wait for it', () => {
    const admission = admissionOf({ 1: limits.perCompany });
    const nested = { company: 1, depth: 1, ...one };
    expect(nextToStart([...waitingOf(1), nested], admission)).toBe(1);
    start(admission, nested);
    start(admission, nested);
    expect(nextToStart([nested], admission)).toBe(-1);
    admission.running.remove(nested);
    expect(nextToStart([nested], admission)).toBe(0);
    expect(admission.running.total).toBe(3);
  });
});

describe('the executions that could start at once', () => {
  it.each([
    ['none of those that wait for their own company', waitingOf(1, 1, 1), { 1: 2 }, 0],
    ['the share of one company', waitingOf(1, 1, 1, 1, 1), {}, 2],
    ['those of all companies up to the slots and the reserve', waitingOf(1, 1, 1, 2, 2, 2, 3, 4, 5), {}, 5],
    ['none when none waits', [], { 1: 1 }, 0],
  ])('are %s', (_, waiting, running: Record<number, number>, expected) => {
    const admission = admissionOf(running);
    const before = admission.running.total;
    expect(startableNow(waiting, admission)).toBe(expected);
    expect(admission.running.total).toBe(before);
  });
});
