import { type Caller, JsonText, type ListQuery, notFound, type Page, emits } from '@signalbox/contracts';
import type { Agents } from '../agents.repository.js';
import { type OrderedChild } from './ordered-child.js';
import { move } from './order.js';
import { type Database, filtersOf, type Tx } from '@signalbox/database';
import {
  MAKE_ROOM,
  INSERT_PART,
  CHANGE_PART,
  DELETE_PART,
  CLOSE_GAP,
  PLACE_PARTS,
  PARTS_OF_AGENT,
  RESTORE_PARTS,
  INSERT_PARTS,
  DELETE_PARTS,
  IDS_OF_PARTS,
} from './ordered-children.sql.js';

interface Ordered {
  id: number;
  agent_id: number;
  position: number;
}

/**
 * A part is written under the row lock of its agent, so that positions stay dense; events and audit entries are those
 * of a change of the agent.
 *
 * SQL: positions shift in one UPDATE of many rows; one class serves several tables.
 */
export abstract class OrderedChildren<Wire extends Ordered, Body extends object> {
  protected constructor(
    protected readonly db: Database,
    protected readonly agents: Agents,
    private readonly part: OrderedChild,
    private readonly event: 'agent.updated' | 'agent.routing_updated',
  ) {}

  async list(companyId: number, agentId: number, query: ListQuery): Promise<JsonText<Page<Wire>>> {
    await this.agents.require(companyId, agentId);
    const { view } = this.part;
    return this.db.list<Wire>(view, companyId, { ...query, filters: filtersOf(view, { agent_id: agentId }) });
  }

  async get(companyId: number, agentId: number, id: number): Promise<JsonText<Wire>> {
    const found = await this.db.readOne<Wire>(this.part.view, companyId, id);
    if (found && recordOf(found).agent_id === agentId) return found;
    await this.agents.require(companyId, agentId);
    return this.missing();
  }

  /** Locks the agent; event and audit entry are those of a change of the agent. */
  write<T>(caller: Caller, agentId: number, work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.db.withCompany(
      caller,
      async (tx) => {
        let result: T | undefined;
        const rule = () => ({ set: {}, events: [emits(this.event)] });
        await this.agents.changeIn(tx, agentId, rule, async () => {
          result = await work(tx);
        });
        return result as T;
      },
      this.part.uniqueViolations,
    );
  }

  /** At the end without a position. The agent must be locked. */
  async add(tx: Tx, agentId: number, body: Body, position?: number): Promise<JsonText<Wire>> {
    const at = Math.min(position ?? Infinity, (await this.ids(tx, agentId)).length);
    await tx.query(MAKE_ROOM(this.part), [tx.companyId, agentId, at, Date.now()]);
    const [inserted] = await tx.query<{ id: number }>(INSERT_PART(this.part), [
      tx.companyId,
      agentId,
      at,
      JSON.stringify(body),
    ]);
    return this.read(tx, agentId, inserted?.id ?? 0);
  }

  async change(tx: Tx, agentId: number, id: number, change: Partial<Body>): Promise<JsonText<Wire>> {
    await tx.query(CHANGE_PART(this.part), [tx.companyId, id, Date.now(), JSON.stringify(change)]);
    return this.read(tx, agentId, id);
  }

  async drop(tx: Tx, agentId: number, id: number): Promise<void> {
    const { position } = await this.find(tx, agentId, id);
    await tx.query(DELETE_PART(this.part), [tx.companyId, id, Date.now()]);
    await tx.query(CLOSE_GAP(this.part), [tx.companyId, agentId, position, Date.now()]);
  }

  reorder(caller: Caller, agentId: number, id: number, position?: number): Promise<JsonText<Wire[]>> {
    return this.write(caller, agentId, async (tx) => {
      await this.find(tx, agentId, id);
      await this.place(tx, agentId, id, position);
      return this.all(tx, agentId);
    });
  }

  async place(tx: Tx, agentId: number, id: number, position?: number): Promise<void> {
    const ids = move(await this.ids(tx, agentId), id, position);
    await tx.query(PLACE_PARTS(this.part), [tx.companyId, ids, Date.now()]);
  }

  async all(tx: Tx, agentId: number): Promise<JsonText<Wire[]>> {
    const [row] = await tx.query<{ body: string }>(PARTS_OF_AGENT(this.part), [tx.companyId, agentId]);
    return new JsonText(row?.body ?? '[]');
  }

  /** In the order of the snapshot; a part with a known id is restored. The agent must be locked. */
  async replace(tx: Tx, agentId: number, items: readonly object[]): Promise<void> {
    await this.dropAll(tx, agentId);
    const values = [tx.companyId, agentId, JSON.stringify(items)];
    await tx.query(RESTORE_PARTS(this.part), [...values, Date.now()]);
    await tx.query(INSERT_PARTS(this.part), values);
  }

  async dropAll(tx: Tx, agentId: number): Promise<void> {
    await tx.query(DELETE_PARTS(this.part), [tx.companyId, agentId, Date.now()]);
  }

  async find(tx: Tx, agentId: number, id: number): Promise<Wire> {
    return recordOf(await this.read(tx, agentId, id));
  }

  protected missing(): never {
    throw notFound(this.part.view.resource);
  }

  async read(tx: Tx, agentId: number, id: number): Promise<JsonText<Wire>> {
    const found = await tx.read<Wire>(this.part.view, id);
    return found && recordOf(found).agent_id === agentId ? found : this.missing();
  }

  private async ids(tx: Tx, agentId: number): Promise<number[]> {
    const rows = await tx.query<{ id: number }>(IDS_OF_PARTS(this.part), [tx.companyId, agentId]);
    return rows.map(({ id }) => id);
  }
}

const recordOf = <Wire>(text: JsonText<Wire>): Wire => JSON.parse(text.text) as Wire;
