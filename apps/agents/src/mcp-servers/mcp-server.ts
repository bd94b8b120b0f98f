import { isDeepStrictEqual } from 'node:util';
import { emits, invalidField, type McpDrift, type McpRefreshError, type McpTool } from '@signalbox/contracts';
import { checkHttpUrl } from '../drafts/index.js';

export interface McpServerFields {
  name: string;
  url: string;
  headers: Record<string, string>;
  include_tools: string[];
  exclude_tools: string[];
}

type ListedFields = Pick<McpServerFields, 'url' | 'include_tools' | 'exclude_tools'>;

const OWN_HEADERS = /^(mcp-.*|host|accept|connection|transfer-encoding|content-(length|type|encoding)|last-event-id)$/i;
const PLACEHOLDER = /\{\{\s*secrets\./;
/** Remembered changes of tools per server. */
const MAX_DRIFT = 50;

export function checkMcpServer({ url, headers }: Partial<McpServerFields>): void {
  checkHttpUrl('url', url);
  if (url !== undefined && PLACEHOLDER.test(url))
    throw invalidField('url', 'must not contain {{secrets.NAME}}: secrets belong in headers');
  const own = Object.keys(headers ?? {}).find((name) => OWN_HEADERS.test(name));
  if (own !== undefined) throw invalidField(`headers.${own}`, 'is set by the protocol');
}

/** After a change of the URL the tools have to be listed again. */
export function updateMcpServer({ url }: Pick<McpServerFields, 'url'>, change: Partial<McpServerFields>) {
  checkMcpServer(change);
  if (Object.keys(change).length === 0) return {};
  const moved = change.url !== undefined && change.url !== url;
  const unknown = { tools: [] as McpTool[], refreshed_at: null, refresh_error: null, drift: [] as McpDrift[] };
  return { set: { ...change, ...(moved ? unknown : {}) }, events: [emits('mcp_server.updated')] };
}

export const refreshed = (tools: McpTool[], at: number) => ({
  set: { tools, refreshed_at: at, refresh_error: null, drift: [] as McpDrift[] },
  events: [emits('mcp_server.updated')],
});

/** Whether a server would still give the tools that were listed of it. */
export const listsAsBefore = (now: ListedFields, before: ListedFields): boolean =>
  isDeepStrictEqual(
    [now.url, now.include_tools, now.exclude_tools],
    [before.url, before.include_tools, before.exclude_tools],
  );

/** The tools of the last refresh stay. */
export const notRefreshed = (refresh_error: McpRefreshError) => ({
  set: { refresh_error },
  events: [emits('mcp_server.updated')],
});

interface KnownTools {
  drift: readonly McpDrift[];
  tools: readonly McpTool[];
}

/** No change when this drift is known, or the last refresh has found it: then only versions are behind. */
export function drifted({ drift: known, tools }: KnownTools, found: McpDrift) {
  const listed = tools.find(({ name }) => name === found.tool);
  if ((listed?.schema_hash ?? null) === found.schema_hash) return {};
  const former = known.find(({ tool }) => tool === found.tool);
  if (former && former.schema_hash === found.schema_hash) return {};
  const drift = [found, ...known.filter(({ tool }) => tool !== found.tool)].slice(0, MAX_DRIFT);
  const { tool, schema_hash } = found;
  return { set: { drift }, events: [{ ...emits('mcp_server.drifted'), extra: { tool, schema_hash } }] };
}
