import { completions, evaluations, type EvaluationRun, type Intent } from '@signalbox/contracts';
import { eventually } from '@signalbox/testing';
import type { JudgedCompany } from './judged-company.js';

const BATCH = 50;
/** Requests that a run judges before it records them; a lost worker repeats at most these. */
const JUDGED_TOGETHER = 32;

interface Kills {
  /** The intent `ask` of the application that calls without a name belong to. */
  intent: Intent;
  requests: number;
  kills: number;
  limitMs: number;
}

/** What became of an evaluation run. */
interface Killed {
  run: EvaluationRun;
  /** Results of the run, and the requests that they are about. */
  results: number;
  judged: number;
  /** Requests whose state is that of their result. */
  passed: number;
  /** Events of the end of the run. */
  ended: number;
  modelCalls: number;
  /** The most model calls with which nothing was judged without need. */
  mostCalls: number;
}

async function record(company: JudgedCompany, count: number): Promise<void> {
  const item = {
    chat_completion_request: {
      messages: [{ role: 'user' as const, content: 'hello' }],
      model: 'recorded',
      intent: 'ask',
      return_evaluation: false,
    },
    chat_completion_response: { choices: [{ message: { role: 'assistant' as const, content: 'Welcome' } }] },
  };
  for (let left = count; left > 0; left -= BATCH) {
    const items = Array.from({ length: Math.min(BATCH, left) }, () => item);
    await company.bus.call(completions.endpoints.storeCompletions, { items }, company.caller());
  }
}

/** Evaluates recorded requests by a run whose service is killed again and again. */
export async function evaluateThroughKills(
  company: JudgedCompany,
  { intent, requests, kills, limitMs }: Kills,
): Promise<Killed> {
  const { platform, world } = company.traffic;
  const { companyId } = company.places;
  await record(company, requests);
  company.script(() => ({ verdict: 'PASS' }));
  const { id: sentinel_id } = await company.sentinel('polite', { state: 'DISABLED' });
  world.calls.length = 0;
  const { id } = await company.bus.call(
    evaluations.endpoints.createEvaluation,
    {
      application_id: intent.application_id,
      intent_id: intent.id,
      start_date: Date.now() - 3_600_000,
      end_date: Date.now() + 3_600_000,
      sentinel_ids: [sentinel_id],
      sentinel_overrides: {},
    },
    company.caller(),
  );
  const read = async <Row extends object>(sql: string): Promise<Row> =>
    (await platform.sql.query<Row>(sql, [companyId, id])).rows[0]!;
  const evaluated = async (): Promise<number> =>
    (
      await read<{ count: number }>(
        'SELECT evaluated_requests AS count FROM traffic.evaluation_runs WHERE company_id = $1 AND no = $2',
      )
    ).count;
  for (let kill = 0; kill < kills; kill++) {
    const due = (requests * kill) / (kills + 1);
    await eventually('the run has progressed', async () => (await evaluated()) > due, limitMs);
    await platform.service('traffic').kill('SIGKILL');
    await platform.service('traffic').start();
  }
  const run = await eventually(
    'the run ends',
    async () => {
      const path = { evaluation_id: id };
      const current = await company.bus.call(evaluations.endpoints.getEvaluation, path, company.caller());
      return current.completed_at === null ? undefined : current;
    },
    limitMs,
  );
  const counts = await read<Pick<Killed, 'results' | 'judged' | 'passed' | 'ended'>>(
    `SELECT count(*)::int AS results, count(DISTINCT request_id)::int AS judged,
       (SELECT count(*)::int FROM traffic.requests WHERE company_id = $1 AND evaluation_status = 'PASS') AS passed,
       (SELECT count(*)::int FROM traffic.outbox WHERE company_id = $1 AND subject LIKE '%.evaluation_run.completed') AS ended
     FROM traffic.evaluation_results WHERE company_id = $1 AND evaluation_id = $2`,
  );
  const mostCalls = requests + kills * JUDGED_TOGETHER;
  return { run, ...counts, modelCalls: company.judgeCalls().length, mostCalls };
}
