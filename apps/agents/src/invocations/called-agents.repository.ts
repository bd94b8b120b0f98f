import { Injectable } from '@nestjs/common';
import { BusClient, serviceCaller } from '@signalbox/bus';
import {
  type AgentKind,
  ApiError,
  type Caller,
  type Detail,
  notFound,
  type OnOff,
  trafficLinks,
} from '@signalbox/contracts';
import { Database, type ResolvedTarget } from '@signalbox/database';
import { slowdown } from '@signalbox/platform';
import { type AgentSnapshot, hasNoDraft } from '../drafts/index.js';
import { modelsOfTask, unusableConfigs } from '../models/index.js';
import { Tasks } from '../tasks/index.js';
import { AgentVersions } from '../versions/index.js';
import { CALLED_AGENT } from './called-agents.sql.js';

/** A longer check counts as an outage, so that a frozen service does not delay invocations. */
const CHECK_MS = 1000;

interface CalledAgent extends ResolvedTarget<AgentSnapshot> {
  status: OnOff;
  kind: AgentKind;
  application_id: number | null;
}

interface Pin {
  version?: string | undefined;
  release?: string | undefined;
}

/** SQL: an agent that is called without a version or release is read with its draft in one statement. */
@Injectable()
export class CalledAgents {
  constructor(
    private readonly db: Database,
    private readonly bus: BusClient,
    private readonly tasks: Tasks,
    private readonly versions: AgentVersions,
  ) {}

  /** 404 when the agent, or the version or release of the call, does not exist; 409 when the agent runs elsewhere. */
  async get(companyId: number, agentId: number, pin: Pin): Promise<CalledAgent> {
    if (pin.version === undefined && pin.release === undefined) {
      const draft = await this.findWithDraft(companyId, agentId);
      return draft ? { ...requireHosted(draft), version: null, release: null } : missingAgent();
    }
    const agent = requireHosted(await this.tasks.agentOf(companyId, agentId));
    return { ...agent, ...(await this.versions.resolve(companyId, agentId, pin)) };
  }

  private async findWithDraft(companyId: number, id: number): Promise<Omit<CalledAgent, 'version' | 'release'> | null> {
    const [found] = await this.db.select<Omit<CalledAgent, 'version' | 'release'>>(companyId, CALLED_AGENT, [id]);
    return found ?? null;
  }

  /**
   * Throws 422 `invalid_config` naming each bad field of a stored config, 404 `model_not_found` naming each unknown or
   * disabled model, and 409 `application_disabled`. While models and applications cannot be looked up the check passes:
   * the task waits for the end of the outage.
   */
  async requireCallable(caller: Caller, applicationId: number | null, snapshot: AgentSnapshot): Promise<void> {
    const unusable = unusableConfigs(snapshot);
    if (unusable.length > 0) {
      const problem = `${unusable[0]?.field} ${unusable[0]?.message}`;
      throw new ApiError('refused', problem, { code: 'invalid_config', details: unusable });
    }
    await this.requireModels(caller, applicationId, snapshot);
  }

  private async requireModels(caller: Caller, applicationId: number | null, snapshot: AgentSnapshot): Promise<void> {
    const { named, namesNone } = modelsOfTask(snapshot);
    const model_names = [...new Set(named.map(({ model }) => model))];
    const input = { application_id: applicationId, model_names, with_default: namesNone };
    // Without the idempotency key and the deadline of the caller.
    const own = serviceCaller(caller.companyId, Math.min(caller.deadline, Date.now() + slowdown.allow(CHECK_MS)));
    const found = await this.bus.call(trafficLinks.endpoints.findUncallable, input, own).catch(unlessRefused);
    if (!found || found.unknown.length + found.disabled.length === 0) return;
    const { default_model: byDefault, unknown, disabled } = found;
    const all = byDefault === null ? named : [...named, { field: 'model', model: byDefault }];
    const details = all.flatMap(({ field, model }): Detail[] => {
      if (unknown.includes(model)) return [{ field, message: `names model ${model}, which does not exist` }];
      return disabled.includes(model) ? [{ field, message: `names model ${model}, which is disabled` }] : [];
    });
    const problem = unknown[0] === undefined ? `model ${disabled[0]} is disabled` : `model ${unknown[0]} not found`;
    throw new ApiError('not_found', problem, { code: 'model_not_found', details });
  }
}

function requireHosted<A extends { kind: AgentKind }>(agent: A): A {
  if (agent.kind === 'EXTERNAL') throw hasNoDraft('it cannot be invoked');
  return agent;
}

function missingAgent(): never {
  throw notFound('agent');
}

function unlessRefused(error: unknown): null {
  if (error instanceof ApiError && (error.kind === 'not_found' || error.kind === 'conflict')) throw error;
  return null;
}
