import { useState } from 'preact/hooks';
import type { Agent } from '@signalbox/sdk';
import { Link } from 'wouter-preact';
import { usePortal } from '../../api/portal.js';
import { Dialog } from '../../parts/dialog.js';
import { Field, Form } from '../../parts/form.js';
import { Loaded } from '../../parts/loaded.js';
import { Question } from '../../parts/question.js';
import { Table } from '../../parts/table.js';

const RESULTS = { gather_info: 'goes back to this agent', complete_task: 'is the answer' } as const;

export function SubAgents({ agent, changed }: { agent: Agent; changed: () => void }) {
  const { api, can } = usePortal();
  const [isNew, setIsNew] = useState(false);
  const [unwanted, setUnwanted] = useState<{ child_agent_id: number; name: string } | null>(null);
  const agent_id = agent.id;
  async function add({ child = '', release = '', result = 'gather_info' }: Record<string, string>) {
    await api.agents.addSubAgent({
      agent_id,
      child_agent_id: Number(child),
      action_result_type: result as 'gather_info',
      ...(release ? { release } : {}),
    });
    setIsNew(false);
    changed();
  }
  return (
    <section class="card" aria-label="Sub-agents">
      <div class="head">
        <h2>Sub-agents</h2>
        <button aria-disabled={!can('write')} onClick={() => can('write') && setIsNew(true)}>
          Add sub-agent
        </button>
      </div>
      {agent.sub_agents.length === 0 ? (
        <p class="soft">It asks no other agent.</p>
      ) : (
        <Loaded name={['agents', 'names']} load={(signal) => api.agents.list({ limit: 100 }, { signal }).all()}>
          {(agents) => (
            <Table label="All sub-agents" columns={['Agent', 'Version', 'Its answer']} actions>
              {agent.sub_agents.map(({ id, child_agent_id, version, release, action_result_type }) => {
                const name = agents.find((each) => each.id === child_agent_id)?.agent_name ?? `agent ${child_agent_id}`;
                return (
                  <tr key={id}>
                    <td>
                      <Link href={`/agents/${child_agent_id}`}>{name}</Link>
                    </td>
                    <td>{release ?? version ?? 'as published with it'}</td>
                    <td>{RESULTS[action_result_type]}</td>
                    <td>
                      {can('write') && (
                        <button class="danger" onClick={() => setUnwanted({ child_agent_id, name })}>
                          Remove
                        </button>
                      )}
                    </td>
                  </tr>
                );
              })}
            </Table>
          )}
        </Loaded>
      )}
      {unwanted && (
        <Question
          title={`Remove the sub-agent ${unwanted.name}?`}
          action="Remove the sub-agent"
          act={async () => {
            await api.agents.removeSubAgent({ agent_id, child_agent_id: unwanted.child_agent_id });
            changed();
          }}
          close={() => setUnwanted(null)}
        >
          <p>This agent no longer asks it. The agent itself stays.</p>
        </Question>
      )}
      {isNew && (
        <Dialog title="Add a sub-agent" close={() => setIsNew(false)}>
          <Form submit={add} action="Add it">
            <Loaded
              name={['agents', 'hosted']}
              load={(signal) => api.agents.list({ kind: ['HOSTED'], limit: 100 }, { signal }).all()}
            >
              {(hosted) => (
                <Field label="Agent" hint="One that runs elsewhere cannot be asked.">
                  <select name="child" required>
                    {hosted
                      .filter(({ id }) => id !== agent_id)
                      .map(({ id, agent_name }) => (
                        <option key={id} value={id}>
                          {agent_name}
                        </option>
                      ))}
                  </select>
                </Field>
              )}
            </Loaded>
            <Field label="Release" hint="Empty: the latest version when this agent is published.">
              <input name="release" />
            </Field>
            <Field label="Its answer">
              <select name="result">
                {Object.entries(RESULTS).map(([value, words]) => (
                  <option key={value} value={value}>
                    {words}
                  </option>
                ))}
              </select>
            </Field>
          </Form>
        </Dialog>
      )}
    </section>
  );
}
