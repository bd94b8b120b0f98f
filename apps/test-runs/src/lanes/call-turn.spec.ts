import { CallTurn } from './call-turn.js';

const FOREVER_MS = 60_000;

describe('the turn of a lane to call', () => {
  it('is free at first, and passes to the place that waits', async () => {
    const turn = new CallTurn();
    expect(await turn.take(FOREVER_MS)).toBe(true);
    const order: string[] = [];
    const waiting = turn.take(FOREVER_MS).then((has) => order.push(`second ${has}`));
    await new Promise(setImmediate);
    order.push('first ends');
    turn.release();
    await waiting;
    expect(order).toEqual(['first ends', 'second true']);
    turn.release();
    expect(await turn.take(FOREVER_MS)).toBe(true);
  });

  it('is not waited for longer than allowed, and is free again afterwards', async () => {
    const turn = new CallTurn();
    await turn.take(FOREVER_MS);
    expect(await turn.take(1)).toBe(false);
    turn.release();
    expect(await turn.take(1)).toBe(true);
  });
});
