import { setTimeout as pause } from 'node:timers/promises';
import { evaluationCriteria, type RunItem, testRuns, testSetItems, testSets } from '@signalbox/contracts';
import { eventually } from '@signalbox/testing';
import { AGENT, agentId, company, conduct, CONFIG, itemOf, LOOK_UP, platform, program, run, send } from './fixture.js';

describe('the steps of a program that runs elsewhere', () => {
  let stepsSet: number;
  const before = conduct.trace;
  afterEach(() => void (conduct.trace = before));
  beforeAll(async () => {
    const caller = platform.caller(company.companyId);
    const checks = [{ kind: 'called', tool: 'look_up', arguments: [{ path: 'order', equals: '7' }] }];
    const criterion = { name: 'Looks it up', criteria_type: 'BOOLEAN', method: 'STEPS', config: { checks } };
    const weighed = { ...criterion, weight: 1, enabled: true };
    const { id } = await platform.bus.call(evaluationCriteria.endpoints.createCriteria, weighed as never, caller);
    const set = { name: 'Steps', criteria_ids: [id] };
    stepsSet = (await platform.bus.call(testSets.endpoints.createTestSet, set as never, caller)).id;
    const input = { messages: [{ role: 'user', content: 'Where is order 7?' }] };
    const item = { test_set_id: stepsSet, input, expected_output: null };
    await platform.bus.call(testSetItems.endpoints.createTestSetItem, item as never, caller);
  });

  /** Sends parts of a trace once the program has answered, each so many milliseconds after the one before. */
  const afterTheAnswer =
    (...parts: { spans: Parameters<typeof send>[1]; ms: number }[]) =>
    (traceparent: string): Promise<void> => {
      void (async () => {
        for (const { spans, ms } of parts) {
          await pause(ms);
          await send(traceparent, spans);
        }
      })();
      return Promise.resolve();
    };
  const outcomeOf = ({ outcome, criteria_results: [result] }: RunItem) => [outcome, result?.description];
  const scored = async (): Promise<RunItem> => {
    const { test_run_id: id } = await run({ agent_id: agentId, version: '1.0.0' }, stepsSet);
    return eventually(
      'the item is scored',
      async () => {
        const item = await itemOf(id);
        return item.criteria_results.length > 0 ? item : null;
      },
      120_000,
    );
  };

  it('are those of the trace that arrives after the answer', async () => {
    conduct.trace = afterTheAnswer({ spans: [AGENT, LOOK_UP], ms: 200 });
    expect(outcomeOf(await scored())).toEqual(['PASS', 'the check holds']);
    conduct.trace = afterTheAnswer({ spans: [AGENT], ms: 200 });
    expect(outcomeOf(await scored())).toEqual([
      'FAIL',
      expect.stringContaining('look_up with these arguments was not'),
    ]);
  }, 240_000);

  it('are waited for until the trace is closed, also those that come late', async () => {
    conduct.trace = afterTheAnswer({ spans: [AGENT], ms: 1000 }, { spans: [LOOK_UP], ms: 4000 });
    expect(outcomeOf(await scored())).toEqual(['PASS', 'the check holds']);
  }, 240_000);

  it('that never arrive are an error with its reason, no failure, and are waited for a minute at most', async () => {
    conduct.trace = () => Promise.resolve();
    const caller = platform.caller(company.companyId);
    const { endpoints } = testRuns;
    const consumer_config = { url: program.url, ...CONFIG, agent_id: agentId, version: '1.0.0' };
    const created = {
      test_set_id: stepsSet,
      consumer_kind: 'EXTERNAL',
      consumer_config,
      auto_score: false,
      repeats: 1,
    };
    const { id } = await platform.bus.call(endpoints.createTestRun, { ...created, meta: {} } as never, caller);
    await platform.bus.call(endpoints.prepareTestRun, { id }, caller);
    const secrets = { TOKEN: 's3cret-token' };
    await platform.bus.call(endpoints.executeTestRun, { id, concurrency: 1, secrets }, caller);
    await eventually('the run is completed', async () => {
      return (await platform.bus.call(endpoints.getTestRun, { id }, caller)).status === 'COMPLETED';
    });
    // As if that minute had passed.
    for (const table of ['run_items', 'run_attempts'])
      await platform.sql.query(
        `UPDATE "test-runs".${table} SET completed_at = completed_at - 60000 WHERE company_id = $1 AND run_id =
           (SELECT r.id FROM "test-runs".runs r WHERE r.company_id = $1 AND r.no = $2)`,
        [company.companyId, id],
      );
    const summary = await eventually('the run is scored', async () => {
      const found = await platform.bus.call(endpoints.scoreTestRun, { id } as never, caller);
      return found.status === 'SCORED' ? found : null;
    });
    expect(summary).toMatchObject({ matched: 0, mismatched: 0, errors: 1, errors_by_class: { judge: 1 } });
    expect(outcomeOf(await itemOf(id))).toEqual(['ERROR', 'the trace of the item has not arrived']);
  }, 120_000);
});
