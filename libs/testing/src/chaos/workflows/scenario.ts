import { workflowRuns } from '@signalbox/contracts';
import { seededRandom } from '../../fakes/seeded-random.js';
import { startWorkflowChaosPlatform } from '../chaos-platform.js';
import { SCRIPT_PROCESS } from '../fault-injector.js';
import { cancelUntilReplied, submitUntilAccepted } from '../retried-calls.js';
import type { RunTable } from '../run-table.js';
import {
  type RunningScenario,
  runScenario,
  type Scenario,
  type ScenarioContext,
  type TaskChaos,
  type TaskChaosReport,
} from '../scenario-run.js';
import { StateWatch, type WatchedRuns } from '../state-watch.js';
import { type AcceptedPlan, planOf } from './plan.js';
import { runFaults } from './run-checks.js';
import { makeWorkflows } from './scripts.js';

const { executeWorkflow, cancelRun } = workflowRuns.endpoints;

const RUN_TABLE: RunTable = { name: 'workflows.runs', parent: 'parent_run_id' };
const WATCHED: WatchedRuns = {
  noun: 'run',
  growing: ['last_seq', 'attempts', 'kept'],
  query: `SELECT t.id, t.status, t.last_seq, t.attempts,
      (SELECT count(*)::int FROM workflows.run_results k WHERE k.company_id = t.company_id AND k.run_id = t.id) AS kept,
      CASE WHEN t.completed_at IS NULL THEN NULL
        ELSE md5(concat_ws('|', t.status, t.completed_at, t.output, t.error_code, t.error_message)) END AS end
    FROM workflows.runs t WHERE t.company_id = $1`,
};
const VICTIMS = [
  'gateway',
  'accounts',
  'traffic',
  'workflows',
  'workflows 2',
  'runner',
  SCRIPT_PROCESS,
  SCRIPT_PROCESS,
  'nats',
  'postgres',
];

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

class RunningWorkflows implements RunningScenario {
  private readonly accepted: AcceptedPlan[] = [];
  private readonly cancelling: Promise<void>[] = [];
  private readonly watch: StateWatch;
  private readonly random: () => number;

  constructor(
    private readonly context: ScenarioContext,
    private readonly workflowId: unknown,
  ) {
    this.random = seededRandom(context.seed + 1);
    this.watch = new StateWatch(context.platform.sql, context.companyId, WATCHED);
  }

  async start(at: number): Promise<void> {
    const plan = planOf(at);
    const runId = await submitUntilAccepted(this.context, executeWorkflow, {
      name: `run-${at}`,
      input: {
        workflow_id: this.workflowId,
        input: { n: at },
        mode: plan.waits ? 'sync' : 'async',
        ...(plan.secret === null ? {} : { secrets: { TOKEN: plan.secret } }),
      },
      idHeader: 'X-Service-Run-Id',
      idIn: ({ run_id, id }) => run_id ?? id,
    });
    const run: AcceptedPlan = { ...plan, runId, stopped: false };
    this.accepted.push(run);
    if (plan.cancelled) this.cancelling.push(this.cancelLater(run));
  }

  async finish(): Promise<void> {
    await Promise.all(this.cancelling);
    await this.watch.stop();
  }

  async faults(): Promise<string[]> {
    const { platform, companyId } = this.context;
    return [...(await runFaults(platform.sql, companyId, this.accepted)), ...this.watch.faults];
  }

  counts(): Record<string, number> {
    return {
      withSecrets: this.accepted.filter(({ secret }) => secret !== null).length,
      cancelled: this.accepted.filter(({ stopped }) => stopped).length,
      looksAtStates: this.watch.looks,
    };
  }

  private async cancelLater(run: AcceptedPlan): Promise<void> {
    await sleep(this.random() * 1500);
    run.stopped = await cancelUntilReplied(this.context, cancelRun, { run_id: run.runId });
  }
}

const WORKFLOWS: Scenario = {
  model: ({ messages }) => `re: ${String(messages.at(-1)?.content)}`,
  runs: RUN_TABLE,
  start: startWorkflowChaosPlatform,
  victims: VICTIMS,
  async prepare(context) {
    context.target.answerWith(({ body }) => ({
      headers: { 'content-type': 'application/json' },
      body: body.toString(),
      latencyMs: 30,
    }));
    return new RunningWorkflows(context, await makeWorkflows(context));
  },
};

/**
 * Nested workflow runs, some with secrets and some cancelled, while processes (those of scripts too) are killed, the
 * bus loses its store and messages repeat; returns the violations.
 */
export const runWorkflowChaos = (chaos: TaskChaos): Promise<TaskChaosReport> => runScenario(chaos, WORKFLOWS);
