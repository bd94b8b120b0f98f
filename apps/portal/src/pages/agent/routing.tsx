import { useState } from 'preact/hooks';
import type { Agent, RoutingTest } from '@signalbox/sdk';
import { usePortal } from '../../api/portal.js';
import { Failure } from '../../parts/failure.js';
import { Field, Form } from '../../parts/form.js';
import { Lamp } from '../../parts/lamp.js';
import { Loaded } from '../../parts/loaded.js';
import { Question } from '../../parts/question.js';
import { Table } from '../../parts/table.js';
import { conditionWords, routeWords } from '../../rules/routing-words.js';
import { NewRule } from './new-rule.js';
import { Order } from './order.js';

export function Routing({ agent, changed }: { agent: Agent; changed: () => void }) {
  const { api, can } = usePortal();
  const [isNew, setIsNew] = useState(false);
  const [unwanted, setUnwanted] = useState<{ rule_id: number; label: string } | null>(null);
  const [error, setError] = useState<unknown>(null);
  const agent_id = agent.id;
  const { rules, config } = agent.routing;
  const mayWrite = can('write');
  const act = (call: Promise<unknown>): void => void call.then(changed, setError);
  return (
    <section class="card" aria-label="Routing">
      <div class="head">
        <h2>Routing</h2>
        <button aria-disabled={!mayWrite} onClick={() => mayWrite && setIsNew(true)}>
          New rule
        </button>
      </div>
      <Failure error={error} />
      <div class="bar">
        <Field label="The agent">
          <select
            disabled={!mayWrite}
            value={agent.execution_mode}
            onChange={({ currentTarget }) =>
              act(api.agents.update({ agent_id, execution_mode: currentTarget.value as 'route' }))
            }
          >
            <option value="reasoning">thinks by itself</option>
            <option value="route">only routes</option>
          </select>
        </Field>
        <Field label="Routes are chosen">
          <select
            disabled={!mayWrite}
            value={config.type}
            onChange={({ currentTarget }) =>
              act(api.agents.updateRouting({ agent_id, type: currentTarget.value as 'rules' }))
            }
          >
            <option value="llm">by a model</option>
            <option value="rules">by rules</option>
          </select>
        </Field>
      </div>
      <Loaded name={['agents', 'names']} load={(signal) => api.agents.list({ limit: 100 }, { signal }).all()}>
        {(agents) => {
          const names = {
            agents: new Map(agents.map(({ id, agent_name }) => [id, agent_name])),
            actions: new Map(agent.actions.map(({ id, action_name }) => [id, action_name])),
          };
          return (
            <>
              {rules.length === 0 ? (
                <p class="soft">{`No rule; otherwise ${routeWords(config.default, names)}.`}</p>
              ) : (
                <Table label="All rules" columns={['Rule', 'When', 'Then', 'State']} actions>
                  {rules.map(({ id: rule_id, label, conditions, condition_expression, route, enabled }, at) => (
                    <tr key={rule_id}>
                      <td>{label}</td>
                      <td>
                        {conditions.map(conditionWords).join(condition_expression ? '; ' : ' and ')}
                        {condition_expression && <p class="soft">{condition_expression}</p>}
                      </td>
                      <td>{routeWords(route, names)}</td>
                      <td>
                        <Lamp state={enabled ? 'ENABLED' : 'DISABLED'} />
                      </td>
                      <td>
                        {mayWrite && (
                          <>
                            <Order
                              name={label}
                              at={at}
                              last={rules.length - 1}
                              move={(position) => act(api.agents.reorderRoutingRule({ agent_id, rule_id, position }))}
                            />
                            <button
                              onClick={() =>
                                act(api.agents.updateRoutingRule({ agent_id, rule_id, enabled: !enabled }))
                              }
                            >
                              {enabled ? 'Disable' : 'Enable'}
                            </button>{' '}
                            <button class="danger" onClick={() => setUnwanted({ rule_id, label })}>
                              Delete
                            </button>
                          </>
                        )}
                      </td>
                    </tr>
                  ))}
                </Table>
              )}
              {rules.length > 0 && can('invoke') && <RoutingTrial agent={agent} names={names} />}
              {isNew && <NewRule agent={agent} names={names.agents} close={() => setIsNew(false)} made={changed} />}
            </>
          );
        }}
      </Loaded>
      {unwanted && (
        <Question
          title={`Delete the rule ${unwanted.label}?`}
          action="Delete the rule"
          act={async () => {
            await api.agents.deleteRoutingRule({ agent_id, rule_id: unwanted.rule_id });
            changed();
          }}
          close={() => setUnwanted(null)}
        />
      )}
    </section>
  );
}

function RoutingTrial({ agent, names }: { agent: Agent; names: Parameters<typeof routeWords>[1] }) {
  const { api } = usePortal();
  const [found, setFound] = useState<RoutingTest | null>(null);
  const rule = agent.routing.rules.find(({ id }) => id === found?.matched_rule_id);
  return (
    <Form
      action="Where does it go?"
      submit={async ({ message = '' }) =>
        setFound(await api.agents.testRouting({ agent_id: agent.id, messages: [{ role: 'user', content: message }] }))
      }
    >
      <Field label="A message">
        <input name="message" required />
      </Field>
      {found && (
        <p role="status">{`${rule ? `Rule «${rule.label}»` : 'No rule'}: ${routeWords(found.route, names)}.`}</p>
      )}
    </Form>
  );
}
