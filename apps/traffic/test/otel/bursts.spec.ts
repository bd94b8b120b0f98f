import { eventually, Platform } from '@signalbox/testing';
import type { DueTrace } from '../../src/otel/assembly.repository.js';
import { groupsOf } from '../../src/otel/trace-groups.js';
import { Exporter, exportOf, type SentSpan, span, spanId, traceId } from './otel-client.js';

const TRACES = 300;
const EXPORT = 10;
const LONG_MS = 120_000;

describe('traces that are put together at once', () => {
  const sizesOf = (...traces: Partial<DueTrace>[]): number[] =>
    groupsOf(traces.map((trace) => ({ record_count: 1, bytes: 100, attempts: 0, ...trace }) as DueTrace)).map(
      ({ length }) => length,
    );
  const many = (count: number, trace: Partial<DueTrace> = {}) => Array.from({ length: count }, () => trace);

  it('are at most 50, of 4 MiB and 2,000 spans together, and one at least', () => {
    expect(sizesOf()).toEqual([]);
    expect(sizesOf(...many(120))).toEqual([50, 50, 20]);
    expect(sizesOf(...many(5, { bytes: 2_000_000 }))).toEqual([2, 2, 1]);
    expect(sizesOf({ bytes: 60_000_000 }, {}, {})).toEqual([1, 2]);
    expect(sizesOf(...many(3, { record_count: 900 }))).toEqual([2, 1]);
  });

  it('are alone when they have failed before', () => {
    expect(sizesOf({}, {}, { attempts: 1 }, {}, {})).toEqual([2, 1, 2]);
  });
});

describe('a burst of traces', () => {
  let platform: Platform;
  beforeAll(async () => {
    platform = await Platform.shared(['accounts', 'traffic', 'agents', 'gateway']);
    // What agents cannot store.
    await platform.sql.query(`
      CREATE FUNCTION agents.refuse_poison() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'poison'; END $$;
      CREATE TRIGGER refuse_poison BEFORE INSERT ON agents.tasks FOR EACH ROW
        WHEN (NEW.session_id = 'poison-of-a-burst') EXECUTE FUNCTION agents.refuse_poison();
      CREATE TRIGGER refuse_poison BEFORE INSERT ON agents.task_timeline FOR EACH ROW
        WHEN (NEW.data->>'action_name' = 'poison-of-a-burst') EXECUTE FUNCTION agents.refuse_poison();
      CREATE FUNCTION agents.take_long() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN PERFORM pg_sleep(60); RETURN NEW; END $$;
      CREATE TRIGGER take_long BEFORE INSERT ON agents.tasks FOR EACH ROW
        WHEN (NEW.session_id = 'slow-one-of-a-burst') EXECUTE FUNCTION agents.take_long()`);
  }, 120_000);
  afterAll(async () => {
    await platform.sql.query('DROP FUNCTION agents.refuse_poison CASCADE');
    await platform.sql.query('DROP FUNCTION agents.take_long CASCADE');
    await platform.stop();
  });

  const answer = (trace: string, session = 'burst'): SentSpan[] => {
    const attributes = { 'gen_ai.agent.name': 'Desk', 'gen_ai.conversation.id': session };
    const root = span({ traceId: trace, attributes: { 'gen_ai.operation.name': 'invoke_agent', ...attributes } });
    const call = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'm', 'gen_ai.usage.input_tokens': 3 };
    return [root, span({ traceId: trace, parentSpanId: root.spanId, attributes: call })];
  };

  const count = async (what: string, companyId: number): Promise<number> => {
    const sql = `SELECT count(*)::int AS count FROM ${what} AND company_id = $1`;
    return (await platform.sql.query<{ count: number }>(sql, [companyId])).rows[0]?.count ?? 0;
  };

  async function company() {
    const { companyId } = await platform.company();
    const exporter = await Exporter.of(platform, companyId);
    const send = async (spans: SentSpan[]) =>
      expect((await exporter.json(exportOf(spans))).json()).toEqual({ partialSuccess: {} });
    return { companyId, send };
  }

  it('is shown but for one that cannot be stored, which is closed after five attempts, beside the traces of others', async () => {
    const [flooding, other] = [await company(), await company()];
    const poisoned = traceId();
    const ids = [poisoned, ...Array.from({ length: TRACES - 1 }, () => traceId())].sort();
    for (let at = 0; at < TRACES; at += EXPORT)
      await flooding.send(
        ids.slice(at, at + EXPORT).flatMap((id) => answer(id, id === poisoned ? 'poison-of-a-burst' : undefined)),
      );
    await other.send(answer(traceId()));
    const shown = (companyId: number) => count('agents.tasks WHERE true', companyId);
    const failing = () =>
      count(`traffic.otel_traces WHERE trace_id = '${poisoned}' AND attempts > 0`, flooding.companyId);
    await eventually('the trace of the other is shown', async () => (await shown(other.companyId)) === 1, LONG_MS);
    await eventually('all others are shown', async () => (await shown(flooding.companyId)) === TRACES - 1, LONG_MS);
    await eventually('the poisoned one has failed', async () => (await failing()) === 1, LONG_MS);
    const ended = () => count(`agents.tasks WHERE status = 'COMPLETED'`, flooding.companyId);
    await eventually('all others have ended', async () => (await ended()) === TRACES - 1, LONG_MS);
    const recorded = () => count('traffic.requests WHERE true', flooding.companyId);
    await eventually('their requests are recorded', async () => (await recorded()) === TRACES - 1, LONG_MS);
    // The last of its attempts, without the pauses before it.
    await platform.sql.query(
      'UPDATE traffic.otel_traces SET attempts = 4, due_at = 0 WHERE trace_id = $1 AND closed_at IS NULL',
      [poisoned],
    );
    await flooding.send(answer(traceId()));
    const open = () => count(`traffic.otel_traces WHERE closed_at IS NULL`, flooding.companyId);
    await eventually('no trace is open', async () => (await open()) === 0, LONG_MS);
    expect(await count(`traffic.otel_traces WHERE trace_id = '${poisoned}' AND attempts = 5`, flooding.companyId)).toBe(
      1,
    );
    expect(await count(`traffic.otel_records WHERE trace_id = '${poisoned}'`, flooding.companyId)).toBe(2);
    expect(await shown(flooding.companyId)).toBe(TRACES);
  }, 240_000);

  it('is shown but for one that takes too long, which is tried alone', async () => {
    const { companyId, send } = await company();
    await send([...answer(traceId(), 'slow-one-of-a-burst'), ...answer(traceId())]);
    const shown = () => count(`agents.tasks WHERE session_id = 'burst'`, companyId);
    await eventually('the other is shown', async () => (await shown()) === 1, LONG_MS);
    expect(await count(`agents.tasks WHERE session_id <> 'burst'`, companyId)).toBe(0);
    // The task of the other is shown before its trace is put off.
    const failing = () => count('traffic.otel_traces WHERE attempts > 0 AND closed_at IS NULL', companyId);
    await eventually('the slow one alone has failed', async () => (await failing()) === 1, LONG_MS);
  }, 240_000);

  it('ends without its timeline when that cannot be stored', async () => {
    const { companyId, send } = await company();
    const trace = traceId();
    const [root, ...calls] = answer(trace) as [SentSpan, SentSpan];
    const attributes = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'poison-of-a-burst' };
    await send([root, ...calls, span({ traceId: trace, parentSpanId: root.spanId, attributes })]);
    const failing = () => count(`traffic.otel_traces WHERE trace_id = '${trace}' AND attempts > 0`, companyId);
    await eventually('it has failed', async () => (await failing()) === 1, LONG_MS);
    await platform.sql.query(
      'UPDATE traffic.otel_traces SET attempts = 4, due_at = 0 WHERE trace_id = $1 AND closed_at IS NULL',
      [trace],
    );
    await send(answer(traceId(), 'nudge'));
    const closed = () => count(`traffic.otel_traces WHERE trace_id = '${trace}' AND closed_at > 0`, companyId);
    await eventually('it is closed', async () => (await closed()) === 1, LONG_MS);
    expect(await count(`agents.tasks WHERE session_id = 'burst' AND status = 'COMPLETED'`, companyId)).toBe(1);
    const requests = `traffic.requests WHERE session_id = 'burst' AND prompt_tokens = 3`;
    expect(await count(requests, companyId)).toBe(1);
  }, 240_000);

  it('closes one that ends every process that puts it together, beside the others', async () => {
    const { companyId, send } = await company();
    const trace = traceId();
    const is = (what: string) => async () =>
      (await count(`traffic.otel_traces WHERE trace_id = '${trace}' AND ${what}`, companyId)) === 1;
    const storing = async () => {
      const { rows } = await platform.sql.query(
        `SELECT 1 FROM pg_locks l JOIN pg_class c ON c.oid = l.relation
         WHERE c.oid = 'agents.tasks'::regclass AND l.mode = 'RowExclusiveLock' AND EXISTS (
           SELECT 1 FROM pg_stat_activity a WHERE a.pid = l.pid AND a.wait_event = 'PgSleep')`,
      );
      return rows.length > 0;
    };
    await eventually('no other trace is stored', async () => !(await storing()), LONG_MS);
    await send([...answer(trace, 'slow-one-of-a-burst'), ...answer(traceId())]);
    for (const attempts of [0, 1]) {
      await eventually('it is being stored', storing, LONG_MS);
      expect(await count(`traffic.otel_traces WHERE trace_id = '${trace}' AND attempts = ${attempts}`, companyId)).toBe(
        1,
      );
      await platform.service('traffic').kill('SIGKILL');
      await platform.sql.query(`UPDATE traffic.work SET due_at = now() WHERE lease_owner IS NOT NULL`);
      await platform.sql.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = $1', [
        'PgSleep',
      ]);
      await platform.startService('traffic');
    }
    await eventually(
      'the other is shown',
      async () => (await count(`agents.tasks WHERE session_id = 'burst'`, companyId)) === 1,
      LONG_MS,
    );
    await platform.sql.query('UPDATE traffic.otel_traces SET attempts = 5, due_at = 0 WHERE trace_id = $1', [trace]);
    await send(answer(traceId(), 'nudge'));
    await eventually('it is closed', is('closed_at IS NOT NULL AND attempts = 5'), LONG_MS);
  }, 240_000);

  it('of the release before is put together by the job that it has added', async () => {
    const { companyId, send } = await company();
    const trace = traceId();
    const late = span({ traceId: trace, parentSpanId: spanId() });
    await send([late]);
    const is = (what: string) => async () =>
      (await count(`traffic.otel_traces WHERE trace_id = '${trace}' AND ${what}`, companyId)) === 1;
    await eventually('its root is waited for', is('due_at >= first_arrival + 300000'), LONG_MS);
    await platform.sql.query(
      'UPDATE traffic.otel_traces SET first_arrival = first_arrival - 300000 WHERE trace_id = $1',
      [trace],
    );
    await platform.sql.query(`INSERT INTO traffic.work (company_id, kind, ref) VALUES ($1, 'otel_trace', $2)`, [
      companyId,
      trace,
    ]);
    await eventually('it is closed', is('closed_at IS NOT NULL'), LONG_MS);
  }, 240_000);
});
