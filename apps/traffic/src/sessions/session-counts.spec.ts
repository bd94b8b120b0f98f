import { countsOf } from './session-counts.js';

const request = (session_id: string | null, change = {}) => ({
  session_id,
  in_session: true,
  application_id: 1,
  total_tokens: 3,
  cost: 0.5 as number | null,
  date_created: 100,
  ...change,
});

describe('the counts of sessions', () => {
  it('adds requests up by session, in order, a cost only where there is one', () => {
    const counts = countsOf([
      request('b', { date_created: 200, cost: null }),
      request('a'),
      request('b', { total_tokens: 4 }),
    ]);
    const one = { application_id: 1, cost: 0.5 };
    expect(counts).toEqual([
      { ...one, session_id: 'a', requests: 1, tokens: 3, first_at: 100, last_at: 100 },
      { ...one, session_id: 'b', requests: 2, tokens: 7, first_at: 100, last_at: 200 },
    ]);
    expect(countsOf([request('c', { cost: null })])[0]?.cost).toBeNull();
  });

  it('leaves out requests without a session of chat traffic', () => {
    expect(
      countsOf([request(null), request('a', { in_session: false }), request('b', { in_session: undefined })]),
    ).toEqual([]);
  });
});
