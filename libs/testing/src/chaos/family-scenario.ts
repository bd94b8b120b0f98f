import { seededRandom } from '../fakes/seeded-random.js';
import { familyModel, makeFamilies, modelCallsOf } from './family-agents.js';
import { callBackFaults } from './callback-checks.js';
import { familyFaults } from './family-checks.js';
import { accept, cancel } from './knocking.js';
import { type Asked, planOf } from './family-plan.js';
import { OutsideCaller } from './outside-caller.js';
import { postFaults } from './post-checks.js';
import { type Act, runScenario, type Transform, type TaskChaos, type TaskChaosReport } from './scenario-run.js';
import { StateWatch } from './state-watch.js';
import { taskFaults } from './task-checks.js';

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

class FamilyAct implements Act {
  private readonly asked = new Map<number, Asked>();
  private readonly cancelling: Promise<void>[] = [];
  private readonly watch: StateWatch;
  private readonly random: () => number;

  constructor(
    private readonly stage: Transform,
    private readonly agents: { open: unknown; secret: unknown },
    private readonly outside: OutsideCaller,
  ) {
    this.random = seededRandom(stage.seed + 1);
    this.watch = new StateWatch(stage.platform.sql, stage.companyId);
  }

  async start(at: number): Promise<void> {
    const plan = planOf(at, this.stage.seed);
    const agentId = plan.secret === null ? this.agents.open : this.agents.secret;
    const secrets = plan.secret === null ? {} : { secrets: { TOKEN: plan.secret } };
    const taskId = await accept(this.stage, agentId, at, { wait: plan.wait, ...secrets });
    const asked: Asked = { ...plan, taskId, agentId, stopped: false };
    this.asked.set(at, asked);
    if (plan.cancelled) this.cancelling.push(this.cancelLater(asked));
  }

  private async cancelLater(asked: Asked): Promise<void> {
    await sleep(100 + this.random() * 3000);
    asked.stopped = await cancel(this.stage, asked.agentId, asked.taskId);
  }

  async rest(): Promise<void> {
    await Promise.all(this.cancelling);
    await this.outside.rest();
    await this.watch.stop();
  }

  async faults(): Promise<string[]> {
    const { platform, companyId, target } = this.stage;
    const accepted = new Map([...this.asked].map(([at, { taskId }]) => [`task-${at}`, taskId]));
    const families = await familyFaults(platform.sql, companyId, this.asked);
    return [
      ...(await taskFaults(platform.sql, companyId, accepted)),
      ...families,
      ...(await callBackFaults(platform.sql, companyId, this.outside, this.asked)),
      ...(await postFaults(platform.sql, companyId, target.calls, this.asked)),
      ...this.watch.faults,
    ];
  }

  counts(): Record<string, number> {
    const all = [...this.asked.values()];
    const { callBacks } = this.outside;
    return {
      families: all.length,
      withSecrets: all.filter(({ secret }) => secret !== null).length,
      cancelled: all.filter(({ stopped }) => stopped).length,
      callBacks: callBacks.length,
      callBacksTaken: callBacks.filter(({ taken }) => taken).length,
      modelCallsNeededAtMost: all.reduce((sum, { at }) => sum + modelCallsOf(at), 0),
      looksAtStates: this.watch.looks,
    };
  }
}

/**
 * Runs families of agents (a parent with an action, a sub-agent and a callback), some with secrets and some cancelled,
 * while processes are killed, the bus forgets and messages repeat; answers what broke.
 */
export function runFamilyChaos(chaos: TaskChaos): Promise<TaskChaosReport> {
  const outside = new OutsideCaller((at) => planOf(at, chaos.seed).manner, seededRandom(chaos.seed + 2));
  return runScenario(chaos, {
    model: familyModel,
    async open(stage) {
      outside.enter(stage);
      stage.target.answerWith(outside.answer);
      return new FamilyAct(stage, await makeFamilies(stage), outside);
    },
  });
}
