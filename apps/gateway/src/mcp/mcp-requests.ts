import type { McpHttpHandler } from '@modelcontextprotocol/server';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { BusClient } from '@signalbox/bus';
import { ApiError, type Caller, type Scope } from '@signalbox/contracts';
import { LOGGER, type Logger } from '@signalbox/platform';
import { BodyReader, parseBody, requirePlain, SMALL_BYTES, unreadBodyOf } from '../bodies/index.js';
import { publicOriginsOf } from '../keys/index.js';
import { ContentReply, Cors, EmptyReply, JsonReply, type Reply } from '../replies/index.js';
import type { RequestContext } from '../request/index.js';
import { ROLE, type Role } from '../role.js';
import { GATEWAY_SETTINGS, type GatewaySettings } from '../settings.js';
import { disconnectSignal } from '../streams/index.js';
import { AGENTS, type McpAddress } from './addresses.js';
import { ApiEndpoints } from './api-endpoints.js';
import { McpCallLog } from './call-log.js';
import type { ListedTool } from './listed-tool.js';
import { protocolHandler } from './mcp-servers.js';
import { clientOf, type Message, messageIn, methodNotFound } from './message.js';
import { CALL_MS, PlatformCalls } from './platform-calls.js';
import { ReleaseTools } from './releases/index.js';
import type { Tool } from './tool.js';
import { ToolCalls } from './tool-calls.js';
import { toolsOver } from './tools/index.js';

/** Nothing here can be subscribed to; the SDK would report a subscription as exceeding a maximum. */
const SUBSCRIBE = 'subscriptions/listen';

/** Serves the Model Context Protocol without sessions. */
@Injectable()
export class McpRequests implements OnApplicationShutdown {
  private readonly handler: McpHttpHandler;
  private readonly tools: readonly Tool[];
  private readonly origins: ReadonlySet<string>;

  constructor(
    private readonly bus: BusClient,
    private readonly bodies: BodyReader,
    private readonly log: McpCallLog,
    private readonly releases: ReleaseTools,
    private readonly cors: Cors,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(ROLE) { contracts }: Role,
    @Inject(GATEWAY_SETTINGS) { PUBLIC_URL }: GatewaySettings,
  ) {
    this.handler = protocolHandler((error) => this.logger.debug({ error: error.message }, 'MCP request refused'));
    this.tools = toolsOver(contracts, new ApiEndpoints(contracts));
    this.origins = publicOriginsOf(PUBLIC_URL);
  }

  onApplicationShutdown(): Promise<void> {
    return this.handler.close();
  }

  /** Throws 400, 403, 413 and 415 for what is no message of the protocol. */
  async reply(context: RequestContext, address: McpAddress): Promise<Reply> {
    const message = await this.message(context);
    const caller = callerOf(context, address);
    const signal = disconnectSignal(context.request.raw.socket);
    const by = { caller, address: address.path, client: clientOf(message, context.request.headers['user-agent']) };
    const platform = new PlatformCalls(this.bus, caller, signal);
    const calls = new ToolCalls(by, platform, this.log, (error) =>
      this.logger.error({ error, request_id: caller.requestId }, 'tool failed'),
    );
    const tools = await this.toolsAt(address, caller, calls);
    const named = message.method === 'tools/call' ? (message.params?.name ?? '') : undefined;
    if (named !== undefined && !tools.some(({ name }) => name === named)) await calls.refuse(String(named));
    return this.serve(context, { message, signal, tools });
  }

  private async toolsAt(address: McpAddress, caller: Caller, calls: ToolCalls): Promise<ListedTool[]> {
    const isGranted = (scope: Scope): boolean => caller.scopes.includes(scope);
    if (address === AGENTS) return isGranted('invoke') ? this.releases.of(caller, calls) : [];
    return this.tools.filter(({ scope }) => isGranted(scope)).map((tool) => calls.listed(tool));
  }

  private async message(context: RequestContext): Promise<Message> {
    const { request, response, key } = context;
    try {
      this.requireOwnOrigin(request.headers.origin);
      requirePlain(request.headers['content-encoding']);
      if (!/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? ''))
        throw new ApiError('unsupported_media', 'the body must be application/json');
      const incoming = { raw: request.raw, response, companyId: key?.companyId ?? null };
      return messageIn(parseBody(await this.bodies.read(incoming, SMALL_BYTES), false));
    } catch (error) {
      await unreadBodyOf(request.raw);
      throw error;
    }
  }

  /** Keeps pages of other sites from calling the server with the key of a program on the same machine. */
  private requireOwnOrigin(origin: string | undefined): void {
    if (origin === undefined || this.origins.has(origin) || this.cors.allows(origin)) return;
    throw new ApiError('forbidden', 'requests from this origin are not allowed');
  }

  private async serve(
    { request }: RequestContext,
    { message, signal, tools }: { message: Message; signal: AbortSignal; tools: ListedTool[] },
  ): Promise<Reply> {
    if (message.method === SUBSCRIBE) return JsonReply.of(methodNotFound(message), 404);
    const headers = new Headers();
    for (const [name, value] of Object.entries(request.headers))
      if (typeof value === 'string' && isOfProtocol(name)) headers.set(name, value);
    const asked = new Request(`http://mcp.invalid${request.url}`, { method: 'POST', headers, signal });
    const authInfo = { token: '', clientId: '', scopes: [], extra: { tools } };
    const answered = await this.handler.fetch(asked, { authInfo, parsedBody: message });
    const text = await answered.text();
    const type = answered.headers.get('content-type');
    return text === '' || type === null
      ? new EmptyReply(answered.status, {})
      : new ContentReply(text, type, {}, answered.status);
  }
}

const isOfProtocol = (name: string): boolean =>
  ['accept', 'content-type'].includes(name) || (name.startsWith('mcp-') && name !== 'mcp-session-id');

function callerOf({ key, request, traceparent }: RequestContext, address: McpAddress): Caller {
  return {
    companyId: key?.companyId ?? 0,
    keyId: key?.keyId ?? null,
    scopes: address.scopes.filter((scope) => key?.scopes.includes(scope)) as Scope[],
    requestId: request.id,
    deadline: Date.now() + CALL_MS,
    via: 'MCP',
    ...(traceparent === null ? {} : { traceparent }),
  };
}
