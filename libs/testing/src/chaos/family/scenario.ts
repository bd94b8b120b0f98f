import { tasks } from '@signalbox/contracts';
import { seededRandom } from '../../fakes/seeded-random.js';
import { familyModel, makeFamilies, modelCallsOf } from './agents.js';
import { callBackFaults } from './callback-checks.js';
import { familyFaults } from './task-checks.js';
import { invokeUntilAccepted, cancelUntilReplied } from '../retried-calls.js';
import { type Asked, planOf } from './plan.js';
import { CallbackSender } from './callback-sender.js';
import { outgoingCallFaults } from './outgoing-call-checks.js';
import {
  type RunningScenario,
  runScenario,
  type ScenarioContext,
  type TaskChaos,
  type TaskChaosReport,
} from '../scenario-run.js';
import { StateWatch } from '../state-watch.js';
import { taskFaults } from '../task-checks.js';

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

class RunningFamilies implements RunningScenario {
  private readonly asked = new Map<number, Asked>();
  private readonly cancelling: Promise<void>[] = [];
  private readonly watch: StateWatch;
  private readonly random: () => number;

  constructor(
    private readonly context: ScenarioContext,
    private readonly agents: { open: unknown; secret: unknown },
    private readonly callbackSender: CallbackSender,
  ) {
    this.random = seededRandom(context.seed + 1);
    this.watch = new StateWatch(context.platform.sql, context.companyId);
  }

  async start(at: number): Promise<void> {
    const plan = planOf(at, this.context.seed);
    const agentId = plan.secret === null ? this.agents.open : this.agents.secret;
    const secrets = plan.secret === null ? {} : { secrets: { TOKEN: plan.secret } };
    const taskId = await invokeUntilAccepted(this.context, agentId, at, { wait: plan.wait, ...secrets });
    const asked: Asked = { ...plan, taskId, agentId, stopped: false };
    this.asked.set(at, asked);
    if (plan.cancelled) this.cancelling.push(this.cancelLater(asked));
  }

  private async cancelLater(asked: Asked): Promise<void> {
    await sleep(100 + this.random() * 3000);
    const path = { agent_id: asked.agentId, task_id: asked.taskId };
    asked.stopped = await cancelUntilReplied(this.context, tasks.endpoints.cancelTask, path);
  }

  async finish(): Promise<void> {
    await Promise.all(this.cancelling);
    await this.callbackSender.finish();
    await this.watch.stop();
  }

  async faults(): Promise<string[]> {
    const { platform, companyId, target } = this.context;
    const accepted = new Map([...this.asked].map(([at, { taskId }]) => [`task-${at}`, taskId]));
    const families = await familyFaults(platform.sql, companyId, this.asked);
    return [
      ...(await taskFaults(platform.sql, companyId, accepted)),
      ...families,
      ...(await callBackFaults(platform.sql, companyId, this.callbackSender, this.asked)),
      ...(await outgoingCallFaults(platform.sql, companyId, target.calls, this.asked)),
      ...this.watch.faults,
    ];
  }

  counts(): Record<string, number> {
    const all = [...this.asked.values()];
    const { callBacks } = this.callbackSender;
    return {
      families: all.length,
      withSecrets: all.filter(({ secret }) => secret !== null).length,
      cancelled: all.filter(({ stopped }) => stopped).length,
      callBacks: callBacks.length,
      callBacksTaken: callBacks.filter(({ accepted }) => accepted).length,
      calledBack: new Set(callBacks.map(({ task }) => task)).size,
      // Each of these has to wait for its callback, whatever is killed.
      certainToWait: all.filter(({ secret, cancelled }) => secret === null && !cancelled).length,
      modelCallsNeededAtMost: all.reduce((sum, { at }) => sum + modelCallsOf(at), 0),
      looksAtStates: this.watch.looks,
    };
  }
}

/**
 * Families of agents (a parent with an action, a sub-agent and a callback), some with secrets and some cancelled, while
 * processes are killed, the bus loses its store and messages repeat; returns the violations.
 */
export function runFamilyChaos(chaos: TaskChaos): Promise<TaskChaosReport> {
  const callbackSender = new CallbackSender((at) => planOf(at, chaos.seed).timing, seededRandom(chaos.seed + 2));
  return runScenario(chaos, {
    model: familyModel,
    async prepare(context) {
      callbackSender.useContext(context);
      context.target.answerWith(callbackSender.answer);
      return new RunningFamilies(context, await makeFamilies(context), callbackSender);
    },
  });
}
