import { emits, invalidField, type McpDrift, type McpRefreshError, type McpTool } from '@signalbox/contracts';
import { checkHttpUrl } from '../drafts/index.js';

/** The fields of a server that clients write. */
export interface McpServerFields {
  name: string;
  url: string;
  headers: Record<string, string>;
  include_tools: string[];
  exclude_tools: string[];
}

/** Headers that the protocol or the connection sets. */
const OWN_HEADERS = /^(mcp-.*|host|accept|connection|transfer-encoding|content-(length|type|encoding)|last-event-id)$/i;
const PLACEHOLDER = /\{\{\s*secrets\./;
/** Tools whose changes are kept for one server. */
const MAX_DRIFT = 50;

/** 400 naming the field that has the right type but an unusable value. */
export function checkMcpServer({ url, headers }: Partial<McpServerFields>): void {
  checkHttpUrl('url', url);
  if (url !== undefined && PLACEHOLDER.test(url))
    throw invalidField('url', 'must not contain {{secrets.NAME}}: secrets belong in headers');
  const own = Object.keys(headers ?? {}).find((name) => OWN_HEADERS.test(name));
  if (own !== undefined) throw invalidField(`headers.${own}`, 'is set by the protocol');
}

/** Returns the changed columns of an update. The tools of another server have to be asked for. */
export function updateMcpServer({ url }: Pick<McpServerFields, 'url'>, change: Partial<McpServerFields>) {
  checkMcpServer(change);
  if (Object.keys(change).length === 0) return {};
  const moved = change.url !== undefined && change.url !== url;
  const unknown = { tools: [] as McpTool[], refreshed_at: null, refresh_error: null, drift: [] as McpDrift[] };
  return { set: { ...change, ...(moved ? unknown : {}) }, events: [emits('mcp_server.updated')] };
}

/** The columns of a server after its tools were asked for. */
export const refreshed = (tools: McpTool[], at: number) => ({
  set: { tools, refreshed_at: at, refresh_error: null, drift: [] as McpDrift[] },
  events: [emits('mcp_server.updated')],
});

/** The columns of a server that did not name its tools; those of the last refresh stay. */
export const notRefreshed = (refresh_error: McpRefreshError) => ({
  set: { refresh_error },
  events: [emits('mcp_server.updated')],
});

/** The columns of a server of which a call found a tool changed; nothing when that is known. */
export function drifted(known: readonly McpDrift[], found: McpDrift) {
  const former = known.find(({ tool }) => tool === found.tool);
  if (former && former.schema_hash === found.schema_hash) return {};
  const drift = [found, ...known.filter(({ tool }) => tool !== found.tool)].slice(0, MAX_DRIFT);
  const { tool, schema_hash } = found;
  return { set: { drift }, events: [{ ...emits('mcp_server.drifted'), extra: { tool, schema_hash } }] };
}
