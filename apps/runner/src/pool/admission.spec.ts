import { nextToStart, RunningCounts, startableNow } from './admission.js';

const limits = { total: 4, perCompany: 2, reserve: 1 };
const limitsOf = () => limits;
const waitingOf = (...companies: number[]) => companies.map((company) => ({ company, depth: 0 }));

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
    const counts = new RunningCounts();
    for (const [company, count] of Object.entries(running))
      for (let n = 0; n < count; n++) counts.add({ company: Number(company), depth: 0 });
    expect(nextToStart(waiting, counts, limitsOf)).toBe(expected);
  });

  it('holds up no other while no process is ready for it', () => {
    const counts = new RunningCounts();
    counts.add({ company: 2, depth: 0 });
    const waiting = waitingOf(1, 2);
    expect(nextToStart(waiting, counts, limitsOf)).toBe(0);
    expect(nextToStart(waiting, counts, limitsOf, (index) => index !== 0)).toBe(1);
    expect(nextToStart(waiting, counts, limitsOf, () => false)).toBe(-1);
  });

  it('of another depth does not wait for the slots of those that wait for it', () => {
    const counts = new RunningCounts();
    for (let n = 0; n < limits.perCompany; n++) counts.add({ company: 1, depth: 0 });
    const nested = { company: 1, depth: 1 };
    expect(nextToStart([...waitingOf(1), nested], counts, limitsOf)).toBe(1);
    counts.add(nested);
    counts.add(nested);
    expect(nextToStart([nested], counts, limitsOf)).toBe(-1);
    counts.remove(nested);
    expect(nextToStart([nested], counts, limitsOf)).toBe(0);
    expect(counts.all).toBe(3);
  });
});

describe('the executions that could start at once', () => {
  it.each([
    ['none of those that wait for their own company', waitingOf(1, 1, 1), { 1: 2 }, 0],
    ['the share of one company', waitingOf(1, 1, 1, 1, 1), {}, 2],
    ['those of all companies up to the slots and the reserve', waitingOf(1, 1, 1, 2, 2, 2, 3, 4, 5), {}, 5],
    ['none when none waits', [], { 1: 1 }, 0],
  ])('are %s', (_, waiting, running: Record<number, number>, expected) => {
    const counts = new RunningCounts();
    for (const [company, count] of Object.entries(running))
      for (let n = 0; n < count; n++) counts.add({ company: Number(company), depth: 0 });
    const before = counts.all;
    expect(startableNow(waiting, counts, limitsOf)).toBe(expected);
    expect(counts.all).toBe(before);
  });
});
