import { COMPILING } from '../src/pool/admission.js';
import { MemoryBudget } from '../src/pool/memory-budget.js';

const needs = (company: number, memoryMb: number, depth = 0) => ({ company, depth, memoryMb, bytes: 1 });

/** Which of them start, one after the other, in a budget of 100 MB; none ends. */
function started(...all: ReturnType<typeof needs>[]): boolean[] {
  const budget = new MemoryBudget(100);
  return all.map((each) => {
    const fits = budget.fits(each);
    if (fits) budget.take(each);
    return fits;
  });
}

describe('the memory of scripts', () => {
  it.each([
    ['half of it to one company', [needs(1, 30), needs(1, 20), needs(1, 1)], [true, true, false]],
    ['one script of any size to a company with none', [needs(1, 90), needs(2, 11), needs(2, 10)], [true, false, true]],
    [
      'the last quarter to companies with none',
      [needs(1, 40), needs(2, 30), needs(2, 10), needs(3, 25), needs(4, 10)],
      [true, true, false, true, false],
    ],
    [
      'what is left to compilations, which are short',
      [needs(1, 50), needs(1, 20, COMPILING), needs(2, 25), needs(2, 6, COMPILING)],
      [true, true, true, false],
    ],
    [
      'a nested script more than that, so that the one that waits for it ends',
      [needs(1, 50), needs(2, 50), needs(1, 20, 1), needs(2, 20, 1), needs(1, 20, 2), needs(1, 1, 1)],
      [true, true, true, false, true, false],
    ],
  ])('goes as %s', (_, all, expected) => {
    expect(started(...all)).toEqual(expected);
  });

  it('is free again after an execution has ended', () => {
    const budget = new MemoryBudget(100);
    budget.take(needs(1, 100));
    expect([budget.fits(needs(2, 10)), budget.leftMb]).toEqual([false, 0]);
    budget.give(needs(1, 100));
    expect([budget.fits(needs(2, 100)), budget.leftMb]).toEqual([true, 100]);
  });
});
