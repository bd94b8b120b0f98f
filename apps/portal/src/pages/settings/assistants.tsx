import { useState } from 'preact/hooks';
import type { ReleaseOverview } from '@signalbox/sdk';
import { usePortal } from '../../api/portal.js';
import { releasesOf } from '../../api/releases.js';
import { Copy } from '../../parts/copy.js';
import { Empty } from '../../parts/empty.js';
import { Failure } from '../../parts/failure.js';
import { Field } from '../../parts/form.js';
import { Loaded } from '../../parts/loaded.js';
import { Table } from '../../parts/table.js';

const ADDRESSES = [
  ['/mcp', 'looks: finds, reads, explains runs, compares them', 'read'],
  ['/mcp/run', 'and tries: invokes agents, executes workflows, runs tests', 'read, invoke'],
  ['/mcp/build', 'and changes: writes, publishes, moves releases through their gates', 'read, invoke, write'],
  ['/mcp/agents', 'uses the releases below, each as a tool of its own', 'invoke'],
] as const;

const SNIPPETS: Record<string, (url: string) => string> = {
  'mcp.json (mcpServers)': (url) =>
    JSON.stringify({ mcpServers: { signalbox: { url, headers: { Authorization: 'Bearer svk_…' } } } }, null, 2),
  'mcp.json (servers)': (url) =>
    JSON.stringify(
      { servers: { signalbox: { type: 'http', url, headers: { Authorization: 'Bearer svk_…' } } } },
      null,
      2,
    ),
  'config.toml (mcp_servers)': (url) =>
    `[mcp_servers.signalbox]\nurl = "${url}"\nbearer_token_env_var = "SIGNALBOX_API_KEY"`,
};

export function Assistants() {
  const { api } = usePortal();
  return (
    <div class="page">
      <div class="head">
        <h1>Assistants</h1>
      </div>
      <p>
        Assistants and coding agents connect over the Model Context Protocol. Each may do what its key may do within the
        address it is given; none uses the scope admin. Make a key for each, so that the audit log keeps them apart.
      </p>
      <Addresses />
      <Snippets />
      <h2>Releases as tools</h2>
      <Loaded
        name={['releases', 'tools']}
        load={(signal) => api.releases.listAll({ limit: 100, sort: 'parent_name' }, { signal })}
      >
        {({ data, pagination: { total } }, reload) => (
          <>
            <Tools releases={data.filter(({ parent_type }) => parent_type !== 'monitor')} changed={reload} />
            {total > data.length && (
              <p class="soft">
                The first {data.length} of {total} releases are looked at; the API switches the others.
              </p>
            )}
          </>
        )}
      </Loaded>
    </div>
  );
}

const urlOf = (path: string): string => `${location.origin}/api/v1${path}`;

function Addresses() {
  return (
    <Table label="Addresses" columns={['Address', 'An assistant there', 'Scopes of its key']} actions>
      {ADDRESSES.map(([path, about, scopes]) => (
        <tr key={path}>
          <td>
            <code>{urlOf(path)}</code>
          </td>
          <td>{about}</td>
          <td>{scopes}</td>
          <td>
            <Copy text={urlOf(path)} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

function Snippets() {
  const [client, setClient] = useState(Object.keys(SNIPPETS)[0] ?? '');
  const [path, setPath] = useState<string>('/mcp');
  const text = SNIPPETS[client]?.(urlOf(path)) ?? '';
  return (
    <>
      <h2>Connect</h2>
      <div class="bar">
        <Field label="Client">
          <select value={client} onChange={({ currentTarget }) => setClient(currentTarget.value)}>
            {Object.keys(SNIPPETS).map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </Field>
        <Field label="Address">
          <select value={path} onChange={({ currentTarget }) => setPath(currentTarget.value)}>
            {ADDRESSES.map(([each]) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </Field>
      </div>
      <pre class="json" tabIndex={0} aria-label="Configuration of the client">
        {text}
      </pre>
      <div>
        <Copy text={text} label="Copy the configuration" />
      </div>
    </>
  );
}

function Tools({ releases, changed }: { releases: ReleaseOverview[]; changed: () => void }) {
  const { api, can } = usePortal();
  const [error, setError] = useState<unknown>(null);
  if (releases.length === 0) return <Empty title="No agent or workflow has a release yet." />;
  const change = ({ parent_type, parent_id, name }: ReleaseOverview, mcp_enabled: boolean): void => {
    setError(null);
    void releasesOf(api, parent_type, parent_id).update(name, { mcp_enabled }).catch(setError).finally(changed);
  };
  return (
    <>
      <Failure error={error} />
      <Table label="Releases as tools" columns={['Agent or workflow', 'Release', 'Version', 'Is a tool']}>
        {releases.map((release) => (
          <tr key={`${release.parent_type}/${release.parent_id}/${release.name}`}>
            <td>
              {release.parent_name} <span class="soft">{release.parent_type}</span>
            </td>
            <td>{release.name}</td>
            <td>{release.version_number}</td>
            <td>
              <input
                type="checkbox"
                aria-label={`${release.parent_name}, ${release.name} is a tool`}
                checked={release.mcp_enabled}
                disabled={!can('write')}
                onChange={({ currentTarget }) => change(release, currentTarget.checked)}
              />
            </td>
          </tr>
        ))}
      </Table>
    </>
  );
}
