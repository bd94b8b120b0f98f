import { WebhookTurns } from './webhook-turns.js';

const COMPANY = 1;
const begun = (turns: WebhookTurns, webhook: number, count: number): (number | null)[] =>
  Array.from({ length: count }, () => turns.begin(COMPANY, webhook));
const sent = (delays: (number | null)[]): number => delays.filter((delay) => delay === null).length;

describe('the deliveries of a company', () => {
  let now: number;
  let turns: WebhookTurns;
  beforeEach(() => {
    now = 1_000;
    turns = new WebhookTurns(() => now);
  });

  it('to a webhook that has answered at once are sent together', () => {
    turns.begin(COMPANY, 1);
    turns.end(COMPANY, 1, 20);
    expect(sent(begun(turns, 1, 8))).toBe(8);
  });

  it('to a slow webhook are sent two at a time, and to all slow ones six', () => {
    for (const webhook of [1, 2, 3, 4]) {
      turns.begin(COMPANY, webhook);
      turns.end(COMPANY, webhook, 10_000);
    }
    expect([1, 2, 3, 4].map((webhook) => sent(begun(turns, webhook, 5)))).toEqual([2, 2, 2, 0]);
    turns.end(COMPANY, 1, 10_000);
    expect(turns.begin(COMPANY, 4)).toBeNull();
    turns.end(COMPANY, 2, 10);
    expect(sent(begun(turns, 2, 3))).toBe(3);
  });

  it('to a slow webhook try again when it is their turn, a minute later at most', () => {
    turns.begin(COMPANY, 1);
    turns.end(COMPANY, 1, 10_000);
    const delays = begun(turns, 1, 30);
    expect(delays.slice(0, 5)).toEqual([null, null, 5_000, 10_000, 15_000]);
    expect(delays.at(-1)).toBe(60_000);
  });

  it('to one that has not answered yet try again soon', () => {
    const delays = begun(turns, 1, 60);
    expect(delays.slice(0, 4)).toEqual([null, null, 50, 100]);
    expect(delays.at(-1)).toBe(1_000);
  });
});
