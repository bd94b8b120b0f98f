import { Injectable } from '@nestjs/common';
import { ApiError, type AgentKind, emits } from '@signalbox/contracts';
import { Database } from '@signalbox/database';
import { Agents } from '../drafts/index.js';
import { AGENTS_NAMED, COUNT_MADE_AGENTS } from './external-agents.sql.js';

interface NamedApplication {
  id: number;
  application_name: string;
  date_updated: number;
}

interface AgentOfName {
  id: number;
  kind: AgentKind;
  application_id: number | null;
  is_made: boolean;
}

/** Suffix of a name that a hosted agent has already. */
const SUFFIX = '-external';
const MAX_NAME = 200;
/** Agents that traces may create in one company, and the name of the agent to which all further names belong. */
const MAX_MADE = 1000;
const REST = 'other agents';
/** Look-ups for one agent, including those after a concurrent creation. */
const TRIES = 8;

const NEW = {
  kind: 'EXTERNAL',
  status: 'ENABLED',
  execution_mode: 'reasoning',
  agent_config: {},
  max_iterations: 10,
  meta: { made_for: 'opentelemetry' },
} as const;

/** Long names are cut so that the suffixes fit; no two results are the same. */
const withSuffixes = (name: string, count: number): string =>
  count === 0 ? name : `${name.slice(0, MAX_NAME - count * SUFFIX.length).toWellFormed()}${SUFFIX.repeat(count)}`;

/** SQL: a name is looked up over all applications. */
@Injectable()
export class ExternalAgents {
  constructor(
    private readonly db: Database,
    private readonly agents: Agents,
  ) {}

  /**
   * An agent of the application, else one that a user has created in any application, else a new one. Never a hosted
   * agent: the name then gets a suffix, as often as needed.
   */
  async idOf(companyId: number, name: string, application: NamedApplication): Promise<number> {
    let [base, suffixes] = [name, 0];
    for (let tries = 0; tries < TRIES; tries++) {
      const candidate = withSuffixes(base, suffixes);
      const named = await this.named(companyId, candidate);
      const external = named.filter(({ kind }) => kind === 'EXTERNAL');
      const found =
        external.find(({ application_id }) => application_id === application.id) ??
        external.find(({ is_made }) => !is_made);
      if (found) return found.id;
      if (named.some(({ kind }) => kind === 'HOSTED')) suffixes++;
      else if (base !== REST && (await this.countMade(companyId)) >= MAX_MADE) [base, suffixes] = [REST, 0];
      else {
        const made = await this.make(companyId, candidate, application);
        if (made !== null) return made;
      }
    }
    throw new ApiError('conflict', `no name is free for agent ${name}, or it was changed while its trace was stored`);
  }

  private named(companyId: number, name: string): Promise<AgentOfName[]> {
    return this.db.select<AgentOfName>(companyId, AGENTS_NAMED, [name]);
  }

  private async countMade(companyId: number): Promise<number> {
    const [row] = await this.db.select<{ count: number }>(companyId, COUNT_MADE_AGENTS);
    return row?.count ?? 0;
  }

  /** Null when an agent of the name was created concurrently. */
  private async make(companyId: number, agent_name: string, application: NamedApplication): Promise<number | null> {
    const values = { ...NEW, application_id: application.id, agent_name };
    try {
      const made = await this.agents.create({ companyId }, values, [emits('agent.created')], (tx) =>
        this.agents.applications.bind(tx, application),
      );
      return (JSON.parse(made.text) as { id: number }).id;
    } catch (error) {
      if (error instanceof ApiError && error.kind === 'conflict') return null;
      throw error;
    }
  }
}
