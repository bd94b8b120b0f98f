import type { McpServer, McpServersCreateInput, McpServersUpdateInput, McpServerSummary } from '@signalbox/sdk';
import type { Declaration, SectionProps } from '../../declared/declaration.js';
import { detailPage, listPage } from '../../declared/pages.js';
import { Empty } from '../../parts/empty.js';
import { JsonView } from '../../parts/json-view.js';
import { Time } from '../../parts/time.js';
import { count } from '../../rules/formats.js';
import { SEARCH } from './fields.js';
import { McpRefresh } from './mcp-refresh.js';

type Shown = McpServerSummary & Partial<Pick<McpServer, 'tools'>>;

const FIELDS = {
  name: {
    type: 'string',
    title: 'Name',
    description: 'Small letters, digits, - and _. The names of its tools begin with it.',
    maxLength: 64,
  },
  url: { type: 'string', format: 'uri', title: 'Address', description: 'Such as https://mcp.example/mcp' },
  headers: {
    type: 'object',
    title: 'Headers of each call',
    description: 'Such as {"Authorization": "Bearer {{secrets.TOKEN}}"}',
  },
  include_tools: { type: 'array', title: 'Only these tools', description: 'Names; empty for all.' },
  exclude_tools: { type: 'array', title: 'Not these tools', description: 'Names.' },
};
const listed = (names: readonly string[]): string => names.join(', ') || 'none';

function Tools({ item: { tools = [], refreshed_at } }: SectionProps<Shown>) {
  if (tools.length === 0)
    return (
      <Empty title={refreshed_at === null ? 'Its tools are not known yet.' : 'It has no tool that agents see.'}>
        <p class="soft">A refresh asks the server for its tools.</p>
      </Empty>
    );
  return (
    <div class="stack">
      {tools.map(({ name, description, input_schema, output_schema, is_repeatable, schema_hash }) => (
        <section class="card" key={name} aria-label={name}>
          <h2>
            <code>{name}</code>
          </h2>
          {description !== null && <p>{description}</p>}
          <p class="soft">
            {is_repeatable ? 'A lost call is repeated.' : 'A lost call is not repeated.'} Schemas{' '}
            <code>{schema_hash.slice(0, 12)}</code>
          </p>
          <details>
            <summary>Arguments of {name}</summary>
            <JsonView label={`Schema of the arguments of ${name}`} value={input_schema} />
          </details>
          {output_schema !== null && (
            <details>
              <summary>Result of {name}</summary>
              <JsonView label={`Schema of the result of ${name}`} value={output_schema} />
            </details>
          )}
        </section>
      ))}
    </div>
  );
}

function note({ refresh_error: failed, drift }: Shown) {
  return (
    <>
      {failed !== null && (
        <p class="why">
          The last refresh failed <Time at={failed.at} /> ({failed.failure_class}): {failed.message}
        </p>
      )}
      {drift.length > 0 && (
        <p class="why">
          Calls found other schemas of {drift.map(({ tool }) => tool).join(', ')} and were refused. Refresh the server,
          look at its tools and publish the agents again.
        </p>
      )}
    </>
  );
}

const MCP_SERVERS: Declaration<Shown, McpServersCreateInput, Omit<McpServersUpdateInput, 'mcp_server_id'>> = {
  title: 'MCP servers',
  noun: 'MCP server',
  about: 'An MCP server offers tools that agents can call.',
  path: () => '/mcp-servers',
  idOf: ({ id }) => id,
  nameOf: ({ name }) => name,
  columns: [
    { title: 'Name', width: '1fr', cell: ({ name }) => name },
    { title: 'Address', width: '2fr', cell: ({ url }) => url },
    { title: 'Tools', width: '80px', isNumber: true, cell: ({ tool_count }) => count(tool_count) },
    { title: 'Refreshed', width: '120px', cell: ({ refreshed_at }) => <Time at={refreshed_at} /> },
    {
      title: 'Trouble',
      width: '120px',
      cell: ({ refresh_error, drift }) => (drift.length > 0 ? 'changed' : (refresh_error?.failure_class ?? '–')),
    },
  ],
  filters: [SEARCH],
  list: (api, input, _ids, signal) => api.mcpServers.list(input, { signal }),
  get: (api, { id: mcp_server_id = 0 }, signal) => api.mcpServers.get({ mcp_server_id }, { signal }),
  facts: (item) => [
    ['Address', item.url],
    ['Headers', listed(Object.keys(item.headers))],
    ['Only these tools', item.include_tools.length === 0 ? 'all' : listed(item.include_tools)],
    ['Not these tools', listed(item.exclude_tools)],
    ['Last refresh', <Time at={item.refreshed_at} />],
  ],
  note,
  make: {
    scope: 'write',
    required: ['name', 'url'],
    fields: FIELDS,
    submit: (api, value) => api.mcpServers.create(value),
  },
  edit: {
    scope: 'write',
    required: ['name', 'url'],
    fields: FIELDS,
    submit: (api, { id: mcp_server_id }, change) => api.mcpServers.update({ mcp_server_id, ...change }),
  },
  remove: {
    scope: 'write',
    says: 'A server that an agent uses cannot be deleted. Published versions keep its tools.',
    act: (api, { id: mcp_server_id }) => api.mcpServers.delete({ mcp_server_id }),
  },
  actions: [{ label: 'Refresh', scope: 'invoke', dialog: McpRefresh }],
  sections: { Tools },
};

export const McpServers = listPage(MCP_SERVERS);
export const McpServerPage = detailPage(MCP_SERVERS);
