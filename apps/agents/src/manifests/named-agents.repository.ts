import { Injectable } from '@nestjs/common';
import { type AgentKind, conflict, type Detail, type ManifestAgent, type OnOff } from '@signalbox/contracts';
import { Database, type Tx } from '@signalbox/database';
import type { AgentSnapshot } from '../drafts/index.js';
import { type Handoff, nameOfHandoff } from './manifest.js';
import type { ImportInput } from './import-input.js';
import {
  AGENTS_NAMED,
  KNOWN_PINS,
  LOCK_AGENTS_NAMED,
  NAMES_OF_AGENTS,
  NAMES_OF_LOCKED_AGENTS,
  STATUS_OF_AGENT,
} from './named-agents.sql.js';

/** SQL: names resolve in batches by `= ANY`, locked in the order of ids. */
@Injectable()
export class NamedAgents {
  constructor(private readonly db: Database) {}

  async namesOf(companyId: number, ids: readonly number[]): Promise<Map<number, string>> {
    const rows = await this.db.select<{ id: number; agent_name: string }>(companyId, NAMES_OF_AGENTS, [ids]);
    return new Map(rows.map(({ id, agent_name }) => [id, agent_name]));
  }

  /** In the order of their ids; 409 when `on_conflict` is `error` and one exists, and when one runs elsewhere. */
  async lockNamed(tx: Tx, applicationId: number, { agents, on_conflict }: ImportInput): Promise<Map<string, number>> {
    const rows = await tx.query<{ id: number; agent_name: string; kind: AgentKind }>(LOCK_AGENTS_NAMED, [
      tx.companyId,
      applicationId,
      agents.map(({ name }) => name),
    ]);
    const refused = (found: typeof rows, message: string): Detail[] =>
      found.map(({ agent_name }) => ({
        field: `agents[${agents.findIndex(({ name }) => name === agent_name)}].name`,
        message,
      }));
    if (on_conflict === 'error' && rows.length > 0)
      throw conflict('agents of these names exist already in the application', refused(rows, 'exists already'));
    const external = rows.filter(({ kind }) => kind === 'EXTERNAL');
    if (external.length > 0)
      throw conflict(
        'agents of these names are EXTERNAL, they run elsewhere: they have no draft',
        refused(external, 'is EXTERNAL'),
      );
    return new Map(rows.map(({ agent_name, id }) => [agent_name, id]));
  }

  async resolve(
    tx: Tx,
    applicationId: number,
    agents: readonly ManifestAgent[],
    ids: Map<string, number>,
  ): Promise<void> {
    const own = new Set(agents.map(({ name }) => name));
    const rows = await tx.query<{ agent_name: string; id: number }>(AGENTS_NAMED, [
      tx.companyId,
      applicationId,
      agents.flatMap(({ handoffs = [] }) => handoffs.map(nameOfHandoff)),
    ]);
    for (const { agent_name, id } of rows) if (!own.has(agent_name)) ids.set(agent_name, id);
  }

  async statusOf(tx: Tx, id: number): Promise<OnOff> {
    const [row] = await tx.query<{ status: OnOff }>(STATUS_OF_AGENT, [tx.companyId, id]);
    return row?.status ?? 'ENABLED';
  }

  /** By `name@version` and `name@release`; `latest` maps to its number. Unknown ones are absent. */
  async pinsOf(
    tx: Tx,
    handoffs: readonly Handoff[],
    targets: ReadonlyMap<string, number>,
  ): Promise<Map<string, string>> {
    const pinned = handoffs.filter(({ version, release }) => version !== null || release !== null);
    const found = new Map<string, string>();
    for (const { name, version, release } of pinned) {
      const rows = await tx.query<{ named: string; pin: string }>(KNOWN_PINS, [
        tx.companyId,
        targets.get(name) ?? 0,
        version,
        release,
      ]);
      for (const { named, pin } of rows) found.set(`${name}@${named}`, pin);
    }
    return found;
  }

  async childNames(tx: Tx, draft: AgentSnapshot): Promise<Map<number, string>> {
    const rows = await tx.query<{ id: number; agent_name: string }>(NAMES_OF_LOCKED_AGENTS, [
      tx.companyId,
      draft.sub_agents.map(({ child_agent_id }) => child_agent_id),
    ]);
    return new Map(rows.map(({ id, agent_name }) => [id, agent_name]));
  }
}
