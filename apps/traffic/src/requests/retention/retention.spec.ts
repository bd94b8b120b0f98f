import { outcomeOf, keptFrom } from './retention.js';

const DAY = 86_400_000;
const day = { starts: 10 * DAY, companies: [1, 2] };

describe('retention', () => {
  it('keeps everything unless the company says how long', () => {
    expect(keptFrom(null, 20 * DAY)).toBeNull();
    expect(keptFrom(3, 20 * DAY)).toBe(17 * DAY);
  });

  it('drops a day that every company lets go, all of it', () => {
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

  it('otherwise names those who let some of it go', () => {
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
    // Whoever could not be asked keeps everything.
    expect(outcomeOf(day, new Map([[1, 30 * DAY]]))).toEqual({ drop: false, companies: [1] });
  });
});
