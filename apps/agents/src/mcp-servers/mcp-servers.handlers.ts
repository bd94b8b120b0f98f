import { Serves } from '@signalbox/bus';
import {
  type Batch,
  type Caller,
  type CallTo,
  conflict,
  earlierReply,
  emits,
  type Handlers,
  mcpServers,
  type McpServer,
} from '@signalbox/contracts';
import { secretNamesIn } from '@signalbox/egress';
import { requireSecrets } from '../drafts/index.js';
import { McpCalls } from './client/mcp-calls.js';
import { failureOf, refusalOf } from './client/mcp-failure.js';
import { checkMcpServer, listsAsBefore, notRefreshed, refreshed, updateMcpServer } from './mcp-server.js';
import { McpServers } from './mcp-servers.repository.js';

type C = typeof mcpServers;

/** Time in ms for the reason of a failed refresh to reach the caller. */
const MARGIN_MS = 2000;

const never = new AbortController().signal;

@Serves(mcpServers)
export class McpServerHandlers implements Handlers<C> {
  constructor(
    private readonly servers: McpServers,
    private readonly calls: McpCalls,
  ) {}

  listMcpServers({ input, caller }: CallTo<C, 'listMcpServers'>) {
    return this.servers.list(caller.companyId, input);
  }

  createMcpServer({ input, caller }: CallTo<C, 'createMcpServer'>) {
    checkMcpServer(input);
    return this.servers.create(caller, { ...input }, [emits('mcp_server.created')]);
  }

  getMcpServer({ keys }: Batch) {
    return this.servers.read(keys);
  }

  updateMcpServer({ input: { mcp_server_id, ...change }, caller }: CallTo<C, 'updateMcpServer'>) {
    return this.servers.change(caller, mcp_server_id, (row) => updateMcpServer(row, change));
  }

  deleteMcpServer({ input, caller }: CallTo<C, 'deleteMcpServer'>) {
    return this.servers.delete(caller, input.mcp_server_id);
  }

  /** A failure is stored with the server and is also the reply. */
  async refreshMcpServer({ input: { mcp_server_id: id, secrets }, caller }: CallTo<C, 'refreshMcpServer'>) {
    const earlier = earlierReply<McpServer>(caller);
    if (earlier) return earlier;
    const server = JSON.parse((await this.servers.get(caller.companyId, id)).text) as McpServer;
    const bag = requireSecrets(secretNamesIn(server.headers), secrets, 'the server');
    const { companyId, deadline } = caller;
    try {
      const asked = { companyId, server, secrets: bag, signal: never };
      const tools = await this.calls.list(asked, deadline - Date.now() - MARGIN_MS);
      return await this.servers.change(caller, id, (row) => {
        if (!listsAsBefore(row, server)) throw conflict('the server was changed meanwhile: refresh it again');
        return refreshed(tools, Date.now());
      });
    } catch (error) {
      const failure = failureOf(error);
      if (!failure) throw error;
      const { failure_class, message } = failure;
      await this.servers.change(withoutKey(caller), id, (row) =>
        listsAsBefore(row, server) ? notRefreshed({ failure_class, message, at: Date.now() }) : {},
      );
      throw refusalOf(failure);
    }
  }
}

/** The stored failure is not the result of the call, so a repeat refreshes again. */
const withoutKey = ({ idempotency: _stored, ...caller }: Caller): Caller => caller;
