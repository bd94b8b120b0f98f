import { useState } from 'preact/hooks';
import type { Agent } from '@signalbox/sdk';
import { Link } from 'wouter-preact';
import { usePortal } from '../../api/portal.js';
import { Dialog } from '../../parts/dialog.js';
import { Field, Form } from '../../parts/form.js';
import { Loaded } from '../../parts/loaded.js';
import { Question } from '../../parts/question.js';
import { ScopedButton } from '../../parts/scoped-button.js';
import { Table } from '../../parts/table.js';
import { count } from '../../rules/formats.js';

export function AgentMcpServers({
  agent: { id: agent_id, mcp_servers },
  changed,
}: {
  agent: Agent;
  changed: () => void;
}) {
  const { api } = usePortal();
  const [isNew, setIsNew] = useState(false);
  const [unwanted, setUnwanted] = useState<{ id: number; name: string } | null>(null);
  async function put(ids: number[]): Promise<void> {
    await api.agents.update({ agent_id, mcp_servers: ids });
    changed();
  }
  return (
    <section class="card" aria-label="MCP servers">
      <div class="head">
        <h2>MCP servers</h2>
        <ScopedButton scope="write" act={() => setIsNew(true)}>
          Add MCP server
        </ScopedButton>
      </div>
      {mcp_servers.length === 0 && <p class="soft">It uses no tools of servers elsewhere.</p>}
      {(mcp_servers.length > 0 || isNew) && (
        <Loaded
          name={['mcp servers']}
          load={(signal) => api.mcpServers.list({ limit: 100, sort: 'name' }, { signal }).all()}
        >
          {(servers) => (
            <>
              {mcp_servers.length > 0 && (
                <Table label="All MCP servers" columns={['Server', 'Tools', 'State']} actions>
                  {mcp_servers.map((id) => {
                    const server = servers.find((each) => each.id === id);
                    const name = server?.name ?? `server ${id}`;
                    return (
                      <tr key={id}>
                        <td>
                          <Link href={`/mcp-servers/${id}`}>{name}</Link>
                        </td>
                        <td>{count(server?.tool_count ?? 0)}</td>
                        <td>{server && server.drift.length > 0 ? 'changed' : 'as refreshed'}</td>
                        <td>
                          <ScopedButton scope="write" kind="plain" act={() => setUnwanted({ id, name })}>
                            Remove<span class="visually-hidden"> {name}</span>
                          </ScopedButton>
                        </td>
                      </tr>
                    );
                  })}
                </Table>
              )}
              {isNew && (
                <Dialog title="Add an MCP server" close={() => setIsNew(false)}>
                  <Form
                    action="Add it"
                    submit={async ({ server = '' }) => {
                      await put([...mcp_servers, Number(server)]);
                      setIsNew(false);
                    }}
                  >
                    <Field label="Server">
                      <select name="server" required>
                        {servers
                          .filter(({ id }) => !mcp_servers.includes(id))
                          .map(({ id, name }) => (
                            <option key={id} value={id}>
                              {name}
                            </option>
                          ))}
                      </select>
                    </Field>
                  </Form>
                </Dialog>
              )}
            </>
          )}
        </Loaded>
      )}
      {unwanted && (
        <Question
          title={`Remove the MCP server ${unwanted.name}?`}
          action="Remove the MCP server"
          act={() => put(mcp_servers.filter((each) => each !== unwanted.id))}
          close={() => setUnwanted(null)}
        >
          <p>This agent no longer uses its tools. The server itself stays.</p>
        </Question>
      )}
    </section>
  );
}
