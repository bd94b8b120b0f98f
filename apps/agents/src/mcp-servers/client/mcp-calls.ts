import type { Client, ClientOptions } from '@modelcontextprotocol/client';
import { Injectable } from '@nestjs/common';
import { CompanyProfiles } from '@signalbox/clients';
import type { McpTool } from '@signalbox/contracts';
import { Egress, EgressTimeout, isEgressError, type SecretBag, secretNamesIn } from '@signalbox/egress';
import { withTimeout } from '@signalbox/platform';
import { abortable } from '@signalbox/runs';
import { EgressFetch } from './egress-fetch.js';
import { McpFailedError } from './mcp-failure.js';
import { type ListedTool, readTool, readTools, type ToolChoice } from './tool-list.js';
import { readResult, type ToolResult } from './tool-result.js';

export interface McpServerCall {
  companyId: number;
  server: { url: string; headers: Readonly<Record<string, string>> };
  secrets: SecretBag | undefined;
  signal: AbortSignal;
}

export interface McpToolCall extends McpServerCall {
  tool: string;
  schema_hash: string;
  arguments: Readonly<Record<string, unknown>>;
  /** Called right before the tool: from then on the outcome of the call can be unknown. */
  begins: () => Promise<void>;
}

/** The tool no longer has the schemas that the caller knows; `found` is null when the tool is gone. */
export class ToolDriftedError extends McpFailedError {
  constructor(
    tool: string,
    readonly found: string | null,
  ) {
    const what = found === null ? 'is no longer there' : 'has other schemas now';
    super('adapter', `tool ${tool} ${what}: refresh the server, look at its tools and publish the agent again`);
  }
}

/** How long one connection may take. */
const LIST_MS = 20_000;
const CALL_MS = 60_000;
const MAX_PAGES = 20;
const GOODBYE_MS = 1000;
/** JSON-RPC code for arguments that do not fit, which a model may correct. */
const INVALID_PARAMS = -32602;

const IDENTITY = { name: 'signalbox', version: '1' };
const OPTIONS: ClientOptions = {
  versionNegotiation: { mode: 'auto' },
  listMaxPages: MAX_PAGES,
  inputRequired: { autoFulfill: false },
  // A pattern of a server is not run here: it could take for ever.
  jsonSchemaValidator: {
    getValidator: () => (value) => ({ valid: true, data: value as never, errorMessage: undefined }),
  },
};
const ONE_ATTEMPT = {
  reconnectionOptions: {
    ...{ maxRetries: 0, initialReconnectionDelay: 1, maxReconnectionDelay: 1 },
    reconnectionDelayGrowFactor: 1,
  },
};

interface Connection {
  client: Client;
  /** Wraps calls of the MCP client, so that its errors become those of the server. */
  said: <Result>(work: Promise<Result>) => Promise<Result>;
  options: { signal: AbortSignal; timeout: number; maxTotalTimeout: number };
}

/** Calls of MCP servers over Streamable HTTP, one connection for each. */
@Injectable()
export class McpCalls {
  constructor(
    private readonly egress: Egress,
    private readonly companies: CompanyProfiles,
  ) {}

  /** Only the tools that the server's lists select, in at most `ms`. */
  list(call: McpServerCall & { server: ToolChoice }, ms: number): Promise<McpTool[]> {
    return this.connected(call, Math.min(ms, LIST_MS), async (connection) =>
      readTools(await listed(connection), call.server),
    );
  }

  /** Throws `ToolDriftedError` when the tool no longer has the schemas that the caller knows. */
  call(call: McpToolCall): Promise<ToolResult> {
    const { tool: name, schema_hash, begins } = call;
    return this.connected(call, CALL_MS, async (connection) => {
      const found = (await listed(connection)).find((tool) => tool.name === name);
      const hash = found ? readTool(found).schema_hash : null;
      if (hash !== schema_hash) throw new ToolDriftedError(name, hash);
      await begins();
      const { client, said, options } = connection;
      return readResult(await said(client.callTool({ name, arguments: { ...call.arguments } }, options)));
    });
  }

  private async connected<Result>(
    { companyId, server, secrets, signal }: McpServerCall,
    ms: number,
    work: (connection: Connection) => Promise<Result>,
  ): Promise<Result> {
    const { egress_allow: allow } = await this.companies.ofCompany(companyId);
    const { url, headers } = server;
    const own = secrets?.pick(secretNamesIn(headers));
    const requests = new EgressFetch(this.egress, { url, headers, secrets: own, allow }, signal, Date.now() + ms);
    const { Client, ProtocolError, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
    const client = new Client(IDENTITY, OPTIONS);
    const transport = new StreamableHTTPClientTransport(new URL(url), { fetch: requests.fetch, ...ONE_ATTEMPT });
    const codeOf = (error: unknown): number | null => (error instanceof ProtocolError ? error.code : null);
    const said = <Said>(asked: Promise<Said>): Promise<Said> =>
      abortable(asked, requests.ended).catch((error: unknown) => {
        signal.throwIfAborted();
        throw causeOf(requests.failure ?? error, codeOf);
      });
    const options = { signal: requests.ended, timeout: ms, maxTotalTimeout: ms };
    try {
      await said(client.connect(transport, options));
      const result = await work({ client, said, options });
      const goodbye = transport.sessionId === undefined ? null : transport.terminateSession().catch(() => undefined);
      if (goodbye) await withTimeout(goodbye, GOODBYE_MS, () => undefined);
      return result;
    } finally {
      requests.close();
      await client.close().catch(() => undefined);
    }
  }
}

const listed = async ({ client, said, options }: Connection): Promise<ListedTool[]> =>
  (await said(client.listTools(undefined, options))).tools;

/** Without the wording of the MCP library. */
function causeOf(error: unknown, codeOf: (error: unknown) => number | null): unknown {
  if (error instanceof McpFailedError || isEgressError(error)) return error;
  const message = error instanceof Error ? error.message : '';
  const code = codeOf(error);
  if (code !== null)
    return new McpFailedError(code === INVALID_PARAMS ? 'quality' : 'provider', `the server refused: ${message}`);
  if (error instanceof Error && 'code' in error && error.code === 'REQUEST_TIMEOUT') return new EgressTimeout('total');
  return new McpFailedError('adapter', `the server does not speak the protocol: ${message}`);
}
