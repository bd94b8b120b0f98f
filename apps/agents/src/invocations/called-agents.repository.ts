import { Injectable } from '@nestjs/common';
import { notFound, type OnOff } from '@signalbox/contracts';
import type { ResolvedTarget } from '@signalbox/database';
import { type AgentSnapshot, Drafts } from '../drafts/index.js';
import { AgentVersions } from '../versions/index.js';
import { Tasks } from '../tasks/index.js';

/** What a call of an agent needs of it, with what the call executes. */
interface CalledAgent extends ResolvedTarget<AgentSnapshot> {
  status: OnOff;
  application_id: number | null;
}

/** The version or release that a call names. */
interface Pin {
  version?: string | undefined;
  release?: string | undefined;
}

/** Looks up called agents; one that is called without a version or release in one statement. */
@Injectable()
export class CalledAgents {
  constructor(
    private readonly tasks: Tasks,
    private readonly drafts: Drafts,
    private readonly versions: AgentVersions,
  ) {}

  /** 404 when the agent, or the version or release of the call, does not exist. */
  async get(companyId: number, agentId: number, { version, release }: Pin): Promise<CalledAgent> {
    if (version === undefined && release === undefined) {
      const called = await this.drafts.findCalled(companyId, agentId);
      return called ? { ...called, version: null, release: null } : missingAgent();
    }
    const agent = await this.tasks.agentOf(companyId, agentId);
    return { ...agent, ...(await this.versions.resolve(companyId, agentId, { version, release })) };
  }
}

function missingAgent(): never {
  throw notFound('agent');
}
