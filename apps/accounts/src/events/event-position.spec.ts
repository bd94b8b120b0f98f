import { endOf, firstYoung, nextMessage, positionOf } from './event-position.js';

describe('positions', () => {
  it('ascend in the order of the stream and name the message that is read after them', () => {
    const positions = [positionOf(7, 0), positionOf(7, 199), endOf(7), positionOf(8, 0)];
    expect([...positions].sort((one, other) => one - other)).toEqual(positions);
    expect(new Set(positions).size).toBe(4);
    expect([0, ...positions].map(nextMessage)).toEqual([1, 7, 7, 8, 8]);
  });
});

describe('the first young message', () => {
  it('is found wherever the old ones end, in few questions', async () => {
    for (let border = 1; border <= 65; border++) {
      let asked = 0;
      const found = await firstYoung(1, 64, (at) => {
        asked++;
        return Promise.resolve(at < border);
      });
      expect(found).toBe(border);
      expect(asked).toBeLessThanOrEqual(8);
    }
  });

  it('is the beginning of an empty range', async () => {
    expect(await firstYoung(9, 8, () => Promise.reject(new Error('asked')))).toBe(9);
  });
});
