import { nextAct, tagRunStates } from './tag-run.js';

const run = { upto: 10, cursor: 0, judgements: 0, errors: 0 };

describe('a tag run', () => {
  it.each([
    ['counts its requests first', { ...run, upto: null }, 'count'],
    ['judges until the last request', { ...run, cursor: 9, judgements: 3, errors: 3 }, 'judge'],
    ['completes after it', { ...run, cursor: 10, judgements: 3, errors: 2 }, 'complete'],
    ['completes when no request was selected', { ...run, upto: 0 }, 'complete'],
    ['fails when nothing could be judged', { ...run, cursor: 10, judgements: 3, errors: 3 }, 'fail'],
  ])('%s', (_, state, act) => {
    expect(nextAct(state)).toBe(act);
  });

  it('refuses changes after its end under the number that clients know', () => {
    const ended = { id: 'f3b6', no: 7, status: 'COMPLETED' as const };
    expect(() => tagRunStates.move(ended, 'cancel')).toThrow('tag run 7 is COMPLETED: it cannot cancel');
  });
});
