import { Injectable } from '@nestjs/common';
import {
  type Caller,
  conflict,
  emits,
  maskLiterals,
  type McpDrift,
  type McpServer,
  type McpServerSummary,
  notFound,
  refused,
} from '@signalbox/contracts';
import { CompanyRepository, Database, type Tx } from '@signalbox/database';
import { collisionOf } from './tool-names.js';
import { drifted } from './mcp-server.js';
import { McpServerRow } from './mcp-server.entity.js';
import { AGENTS_OF_SERVER, LOCKED_SERVERS, NAMED_SERVERS, view } from './mcp-servers.sql.js';

export interface NamedTools {
  id: number;
  name: string;
  tools: string[];
}

@Injectable()
export class McpServers extends CompanyRepository<McpServerRow, McpServer, McpServerSummary> {
  constructor(db: Database) {
    super(db, {
      entity: McpServerRow,
      view,
      type: 'mcp_server',
      uniqueViolations: { mcp_servers_name: 'an MCP server of this name exists already' },
      audited: (record) => ({ ...record, headers: maskLiterals(record.headers as object) }),
    });
  }

  delete(caller: Caller, id: number) {
    return this.remove(
      caller,
      id,
      () => ({ events: [emits('mcp_server.deleted')] }),
      async (tx) => {
        const used = await tx.query<{ id: number; agent_name: string }>(AGENTS_OF_SERVER, [tx.companyId, id]);
        if (used.length > 0)
          throw conflict(
            `the MCP server is used by ${used.map(({ agent_name }) => agent_name).join(', ')}`,
            used.map(({ id: agent, agent_name }) => ({ field: `agent:${agent}`, message: agent_name })),
          );
      },
    );
  }

  /** In the order of the ids, locked against deletion; 404 when one does not exist. */
  private async locked(tx: Tx, ids: readonly number[]): Promise<NamedTools[]> {
    if (ids.length === 0) return [];
    const rows = await tx.query<NamedTools>(LOCKED_SERVERS, [tx.companyId, ids]);
    return ids.map((id) => rows.find((row) => row.id === id) ?? missing());
  }

  /** Those that exist, in the order of the ids, locked against deletion. */
  async alive(tx: Tx, ids: readonly number[]): Promise<number[]> {
    if (ids.length === 0) return [];
    const rows = await tx.query<NamedTools>(LOCKED_SERVERS, [tx.companyId, ids]);
    return ids.filter((id) => rows.some((row) => row.id === id));
  }

  /** Locks the servers; 404 for an unknown one, 422 for those that cannot be used together. */
  async requireUsable(tx: Tx, ids: readonly number[], field = 'mcp_servers'): Promise<void> {
    const problem = collisionOf(await this.locked(tx, ids));
    if (problem !== null)
      throw refused(`these MCP servers cannot be used together: ${problem}`, [{ field, message: problem }]);
  }

  /** By name, locked against deletion. */
  async idsOf(tx: Tx, names: readonly string[]): Promise<Map<string, number>> {
    if (names.length === 0) return new Map();
    const rows = await tx.query<{ id: number; name: string }>(NAMED_SERVERS, [tx.companyId, names]);
    return new Map(rows.map(({ id, name }) => [name, id]));
  }

  /** Emits the drift once; ignores a server that was deleted meanwhile. */
  async recordDrift(companyId: number, id: number, found: McpDrift): Promise<void> {
    await this.db.withCompany({ companyId }, async (tx) => {
      const [alive] = await tx.query(LOCKED_SERVERS, [tx.companyId, [id]]);
      if (alive) await this.changeIn(tx, id, (row) => drifted(row, found));
    });
  }
}

function missing(): never {
  throw notFound(view.resource);
}
