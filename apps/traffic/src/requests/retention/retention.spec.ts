import { outcomeOf, keptFrom } from './retention.js';

const DAY = 86_400_000;
const day = { starts: 10 * DAY, companies: [1, 2], hasPartition: true };

describe('retention', () => {
  it('keeps everything without a retention setting', () => {
    expect(keptFrom(null, 20 * DAY)).toBeNull();
    expect(keptFrom(3, 20 * DAY)).toBe(17 * DAY);
  });

  it('drops a day that no company retains', () => {
    expect(
      outcomeOf(
        day,
        new Map([
          [1, 11 * DAY],
          [2, 12 * DAY],
        ]),
      ),
    ).toEqual({ drop: true });
    expect(outcomeOf({ ...day, companies: [] }, new Map())).toEqual({ drop: true });
  });

  it('otherwise deletes per company', () => {
    expect(
      outcomeOf(
        day,
        new Map([
          [1, 11 * DAY - 1],
          [2, null],
        ]),
      ),
    ).toEqual({ drop: false, companies: [1] });
    expect(
      outcomeOf(
        day,
        new Map([
          [1, 10 * DAY],
          [2, null],
        ]),
      ),
    ).toEqual({ drop: false, companies: [] });
    // A company whose setting could not be read keeps everything.
    expect(outcomeOf(day, new Map([[1, 30 * DAY]]))).toEqual({ drop: false, companies: [1] });
  });
});
