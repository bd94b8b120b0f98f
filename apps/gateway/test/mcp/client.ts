import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { apiKeys, type Scope } from '@signalbox/contracts';
import type { Platform } from '@signalbox/testing';

/** The revisions as a client chooses them. */
export type Era = 'legacy' | 'modern';

/** A client of the Model Context Protocol at an address of the gateway. */
export async function connectMcp(platform: Platform, path: string, key: string, era: Era = 'modern'): Promise<Client> {
  const client = new Client(
    { name: 'spec-client', version: '2.0' },
    era === 'modern' ? { versionNegotiation: { mode: { pin: '2026-07-28' } } } : {},
  );
  const headers = { Authorization: `Bearer ${key}`, 'User-Agent': 'spec-agent/1.0' };
  const url = new URL(`${platform.baseUrl}${path}`);
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  return client;
}

/** The text of a result, and whether it is a refusal. */
export interface ToolText {
  text: string;
  isError: boolean;
  /** Bytes of the whole result as JSON. */
  bytes: number;
}

/** Calls a tool. */
export async function callTool(client: Client, name: string, args: Record<string, unknown> = {}): Promise<ToolText> {
  const result = await client.callTool({ name, arguments: args });
  const [content] = result.content as { type: string; text: string }[];
  return {
    text: content?.text ?? '',
    isError: result.isError === true,
    bytes: Buffer.byteLength(JSON.stringify(result)),
  };
}

/** What stands between the tags of the fence, as JSON. */
export const dataIn = (text: string): unknown =>
  JSON.parse(/<data source="[^"]*">\n(.*)\n<\/data>/s.exec(text)?.[1] ?? 'null');

/** A key of a company with some scopes. */
export async function keyWith(platform: Platform, companyId: number, scopes: Scope[]): Promise<string> {
  const made = await platform.bus.call(
    apiKeys.endpoints.createApiKey,
    { name: scopes.join('-'), scopes } as never,
    platform.caller(companyId),
  );
  return (made as { key?: string }).key ?? '';
}
