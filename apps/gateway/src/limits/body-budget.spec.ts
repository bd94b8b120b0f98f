import { BodyBudget } from './body-budget.js';

describe('the budget of body bytes', () => {
  it('refuses what exceeds the share of an address or the total, and counts nothing for it', () => {
    const budget = new BodyBudget({ total: 10, perAddress: 6 });
    budget.take('a', 6);
    expect(() => budget.take('a', 1)).toThrow('too many request bodies');
    budget.take('b', 4);
    expect(() => budget.take('b', 1)).toThrow('too many request bodies');
    expect(budget.bytes).toBe(10);
    budget.release('a', 6);
    budget.take('b', 2);
    budget.release('b', 6);
    expect(budget.bytes).toBe(0);
    budget.take('a', 6);
  });
});
