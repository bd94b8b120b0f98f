import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { Rollups } from '../../src/analytics/rollups.repository.js';
import { emptyRecord, type RequestRecord } from '../../src/request-records/request-record.js';
import { RequestReader } from '../../src/request-reads/request-reader.repository.js';
import { RequestRetention } from '../../src/requests/retention/request-retention.repository.js';
import { RecordedSessions } from '../../src/session-history/recorded-sessions.repository.js';
import { callerOf, insert, judge, open, parts, requestsOf } from './fixture.js';

const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
/** A Sunday, so that weeks change within the days of the tests; long ago, so that all of it is in one partition. */
export const BEGINS = Date.parse('2024-06-02T00:00:00Z');

/** Times that are likely to lie on, just before and just after the edges of hours and days. */
export const time = fc
  .tuple(
    fc.integer({ min: 0, max: 4 * 24 }),
    fc.oneof(fc.constantFrom(-1, 0, 1), fc.integer({ min: 2, max: HOUR - 2 })),
  )
  .map(([hour, ms]) => BEGINS + (hour < 50 ? Math.floor(hour / 10) * DAY : hour * HOUR) + ms);
export const some = <T>(...values: T[]) => fc.constantFrom(...values);
const milliseconds = fc.option(fc.oneof(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 900_000 })));

export const record = fc.record({
  application_id: some(1, 2, null),
  intent_id: some(1, 2, null),
  intent_group_id: some(3, null),
  agent_id: some(null, null, 5),
  workflow_id: some(null, null, 8),
  release: some(null, 'agent:5@stable', 'workflow:8@stable'),
  session_id: some('s1', 's2', 's3', 's4', 's5', null),
  request_type: some('PROD', 'PROD', 'PROD', 'MANUAL', 'RERUN', 'SYNTHETIC'),
  model: some('a', 'b'),
  status: some('COMPLETED' as const, 'COMPLETED' as const, 'FAILED' as const),
  fallback_used: fc.boolean(),
  prompt_tokens: fc.nat(100),
  completion_tokens: fc.nat(100),
  cost: some(null, 0, 0.1, 0.2, 0.0000000003),
  response_time_ms: milliseconds,
  first_token_time_ms: milliseconds,
  date_created: time,
});
type BackendAnswer = typeof record extends fc.Arbitrary<infer T> ? T : never;

export function recordOf(companyId: number, given: BackendAnswer): RequestRecord {
  return {
    ...emptyRecord(companyId),
    ...given,
    company_id: companyId,
    request_id: randomUUID(),
    in_session: given.session_id !== null,
    reference_id: null,
    inference_location: 'SERVER',
    provider: 'p',
    params: '{}',
    response: given.status === 'COMPLETED' ? '{"choices":[]}' : null,
    failure_class: null,
    error_message: null,
    fallback_reason: null,
    primary_model: null,
    total_tokens: given.prompt_tokens + given.completion_tokens,
    metadata: '{}',
  };
}

/** What can happen to traffic; numbers choose among what was recorded so far. */
export const arbitraryEvent = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ kind: some('record' as const), records: fc.array(record, { minLength: 1, maxLength: 5 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: some('again' as const), from: fc.nat(30), count: fc.integer({ min: 1, max: 9 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: some('judge' as const),
      which: fc.nat(),
      status: some('NA' as const, 'PASS' as const, 'FAULT' as const, 'ERROR' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: some('correct' as const, 'restore' as const, 'delete' as const), which: fc.nat() }),
  },
  { weight: 1, arbitrary: fc.record({ kind: some('forget' as const), session: some('s1', 's2', 's3') }) },
  { weight: 1, arbitrary: fc.record({ kind: some('expire' as const), before: time }) },
  // Whatever happens, happens to what is folded and to what is not.
  { weight: 2, arbitrary: fc.record({ kind: some('fold' as const) }) },
);
type TaskEvent = typeof arbitraryEvent extends fc.Arbitrary<infer T> ? T : never;

const choices = [{ message: { role: 'assistant' as const, content: 'better' } }];
const correction = { choices, note: null, key_id: null, date_updated: 1 };
/** What is gone already cannot be changed. */
export const ifThere = (done: Promise<unknown>): Promise<unknown> =>
  done.catch((error: { kind?: string }) => {
    if (error.kind !== 'not_found') throw error;
  });

export async function happen(companyId: number, all: RequestRecord[], what: TaskEvent): Promise<unknown> {
  const recorded = new RequestReader(open.db, parts, requestsOf(), new Rollups(open.db));
  const caller = callerOf(companyId);
  const chosen = (which: number) => all[which % Math.max(1, all.length)]?.request_id ?? randomUUID();
  switch (what.kind) {
    case 'record': {
      const fresh = what.records.map((given) => recordOf(companyId, given));
      all.push(...fresh);
      return insert(fresh);
    }
    case 'again':
      return insert(all.filter((_, at) => at >= what.from && at < what.from + what.count));
    case 'judge':
      return judge(companyId, chosen(what.which), what.status);
    case 'correct':
    case 'restore':
      return ifThere(recorded.correct(caller, chosen(what.which), () => (what.kind === 'correct' ? correction : null)));
    case 'delete':
      return ifThere(recorded.remove(caller, chosen(what.which)));
    case 'forget':
      return ifThere(new RecordedSessions(open.db, parts).remove(caller, what.session));
    case 'fold':
      return new Rollups(open.db).fold(companyId);
    case 'expire': {
      const day = Math.floor(what.before / DAY) * DAY;
      await new RequestRetention(open.db, parts).remove(companyId, day, what.before);
      // What has expired is not delivered again.
      all.splice(0, all.length, ...all.filter(({ date_created: at }) => at < day || at >= what.before));
    }
  }
}
