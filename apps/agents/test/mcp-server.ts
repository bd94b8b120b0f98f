import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMcpHandler, fromJsonSchema, McpServer, type McpHttpHandler } from '@modelcontextprotocol/server';

/** A tool that a server offers. */
export interface OfferedTool {
  name: string;
  description?: string;
  input?: Record<string, unknown>;
  readOnly?: boolean;
  idempotent?: boolean;
  run?: (given: Record<string, unknown>, signal: AbortSignal) => unknown;
}

/** Answers requests in place of a server that speaks the protocol. */
export type Raw = (request: IncomingMessage, response: ServerResponse, body: string) => unknown;

/** The official server in this process, or whatever a test puts in its place. */
export class TestMcpServer {
  tools: OfferedTool[] = [];
  raw: Raw | null = null;
  /** The requests that have arrived: method of the protocol, else of HTTP. */
  readonly calls: { method: string; headers: IncomingMessage['headers']; name?: string }[] = [];
  private readonly http = createServer((request, response) => void this.answer(request, response));
  private readonly handler: McpHttpHandler;

  private constructor(legacy: boolean) {
    const revisions = legacy ? ['2025-11-25', '2025-06-18'] : ['2026-07-28', '2025-11-25'];
    this.handler = createMcpHandler(() => this.serverOf(revisions), { legacy: 'stateless', keepAliveMs: 0 });
  }

  static async start({ legacy = false } = {}): Promise<TestMcpServer> {
    const server = new TestMcpServer(legacy);
    await new Promise<void>((resolve) => server.http.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.http.address() as AddressInfo).port}/mcp`;
  }

  async stop(): Promise<void> {
    await this.handler.close();
    this.http.closeAllConnections();
    await new Promise((resolve) => this.http.close(resolve));
  }

  reset(): void {
    this.calls.length = 0;
    this.raw = null;
    this.tools = [];
  }

  private serverOf(revisions: string[]): McpServer {
    const server = new McpServer(
      { name: 'test', version: '1' },
      { capabilities: { tools: {} }, supportedProtocolVersions: revisions },
    );
    for (const { name, description, input, readOnly, idempotent, run } of this.tools)
      server.registerTool(
        name,
        {
          ...(description ? { description } : {}),
          inputSchema: fromJsonSchema<Record<string, unknown>>((input ?? { type: 'object' }) as never),
          annotations: {
            ...(readOnly ? { readOnlyHint: true } : {}),
            ...(idempotent ? { idempotentHint: true } : {}),
          },
        },
        async (given: Record<string, unknown>, { mcpReq }: { mcpReq: { signal: AbortSignal } }) => {
          const made = await run?.(given, mcpReq.signal);
          return typeof made === 'object' && made !== null && 'content' in made
            ? (made as { content: [] })
            : {
                content: [
                  { type: 'text' as const, text: typeof made === 'string' ? made : JSON.stringify(made ?? null) },
                ],
              };
        },
      );
    return server;
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = Buffer.concat(parts).toString();
    const message = (body ? JSON.parse(body) : {}) as { method?: string; params?: { name?: string } };
    const name = message.params?.name;
    this.calls.push({
      method: message.method ?? String(request.method),
      headers: request.headers,
      ...(name ? { name } : {}),
    });
    if (this.raw) return void this.raw(request, response, body);
    const headers = new Headers();
    for (const [key, value] of Object.entries(request.headers)) if (typeof value === 'string') headers.set(key, value);
    const over = new AbortController();
    response.on('close', () => over.abort());
    const asked = new Request(this.url, {
      method: request.method ?? 'POST',
      headers,
      body: body || null,
      signal: over.signal,
    });
    const answered = await this.handler.fetch(asked, { parsedBody: message });
    response.writeHead(answered.status, Object.fromEntries(answered.headers));
    response.end(Buffer.from(await answered.arrayBuffer()));
  }
}
