import { nextToStart } from './admission.js';

const limits = { total: 4, perCompany: 2, reserve: 1 };
const waitingOf = (...companies: number[]) => companies.map((company) => ({ company }));

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
    const counts = new Map(Object.entries(running).map(([company, count]) => [Number(company), count]));
    expect(nextToStart(waiting, counts, limits)).toBe(expected);
  });
});
