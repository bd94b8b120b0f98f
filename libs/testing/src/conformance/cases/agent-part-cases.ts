import { formFields, routing, subAgents } from '@signalbox/contracts';
import type { Case } from './case.js';
import type { ConformanceFixtures } from '../fixtures.js';

type Json = Record<string, unknown>;

/** One agent per fixture company whose parts are listed, changed and reordered; its parts are created once. */
const composed = new WeakMap<ConformanceFixtures, Promise<unknown>>();
const links = new WeakMap<ConformanceFixtures, Promise<Json>>();
const rules = new WeakMap<ConformanceFixtures, Promise<Json>>();
const fields = new WeakMap<ConformanceFixtures, Promise<Json>>();

function once<T>(
  known: WeakMap<ConformanceFixtures, Promise<T>>,
  fixtures: ConformanceFixtures,
  make: () => Promise<T>,
): Promise<T> {
  const created = known.get(fixtures) ?? make();
  known.set(fixtures, created);
  return created;
}

const composedId = (fixtures: ConformanceFixtures) =>
  once(composed, fixtures, () => fixtures.idOf(fixtures.newAgent()));
const of: Case = async (fixtures) => ({ agent_id: await composedId(fixtures) });

async function newLink(fixtures: ConformanceFixtures): Promise<Json> {
  const child_agent_id = await fixtures.idOf(fixtures.newAgent());
  const agent_id = await composedId(fixtures);
  await fixtures.call(subAgents.endpoints.addSubAgent, { agent_id, child_agent_id });
  return { agent_id, child_agent_id };
}
const link: Case = (fixtures) => once(links, fixtures, () => newLink(fixtures));

const ruleBody = (fixtures: ConformanceFixtures): Json => ({
  label: fixtures.fresh('rule'),
  conditions: [{ target_type: 'message', operator: 'contains', value: 'order' }],
  route: { type: 'llm' },
});
async function newRule(fixtures: ConformanceFixtures): Promise<Json> {
  const agent_id = await composedId(fixtures);
  const { id } = await fixtures.call(routing.endpoints.createRoutingRule, { agent_id, ...ruleBody(fixtures) });
  return { agent_id, rule_id: id };
}
const rule: Case = (fixtures) => once(rules, fixtures, () => newRule(fixtures));

const fieldBody = (fixtures: ConformanceFixtures): Json => ({
  field_key: fixtures.fresh('field'),
  label: 'Field',
  field_type: 'string',
});
async function newField(fixtures: ConformanceFixtures): Promise<Json> {
  const agent_id = await composedId(fixtures);
  const { id } = await fixtures.call(formFields.endpoints.createFormField, { agent_id, ...fieldBody(fixtures) });
  return { agent_id, field_id: id };
}
const field: Case = (fixtures) => once(fields, fixtures, () => newField(fixtures));

export const AGENT_PART_CASES: Readonly<Record<string, Case>> = {
  'sub-agents.listSubAgents': of,
  'sub-agents.addSubAgent': async (fixtures) => ({
    ...(await of(fixtures)),
    child_agent_id: await fixtures.idOf(fixtures.newAgent()),
  }),
  'sub-agents.updateSubAgent': async (fixtures) => ({ ...(await link(fixtures)), action_result_type: 'complete_task' }),
  'sub-agents.removeSubAgent': newLink,
  'agent-routing.getRouting': of,
  'agent-routing.updateRouting': async (fixtures) => ({
    ...(await of(fixtures)),
    type: 'rules',
    default: { type: 'llm' },
  }),
  'agent-routing.listRoutingRules': of,
  'agent-routing.createRoutingRule': async (fixtures) => ({ ...(await of(fixtures)), ...ruleBody(fixtures) }),
  'agent-routing.getRoutingRule': rule,
  'agent-routing.updateRoutingRule': async (fixtures) => ({ ...(await rule(fixtures)), label: fixtures.fresh('rule') }),
  'agent-routing.deleteRoutingRule': newRule,
  'agent-routing.reorderRoutingRule': async (fixtures) => ({ ...(await rule(fixtures)), position: 0 }),
  'agent-routing.testRouting': async (fixtures) => ({
    ...(await of(fixtures)),
    messages: [{ role: 'user', content: 'my order' }],
  }),
  'form-fields.listFormFields': of,
  'form-fields.createFormField': async (fixtures) => ({ ...(await of(fixtures)), ...fieldBody(fixtures) }),
  'form-fields.getFormField': field,
  'form-fields.updateFormField': async (fixtures) => ({ ...(await field(fixtures)), label: 'Changed' }),
  'form-fields.deleteFormField': newField,
  'form-fields.reorderFormField': async (fixtures) => ({ ...(await field(fixtures)), position: 0 }),
  'agent-manifests.cloneAgent': async (fixtures) => ({
    agent_id: await fixtures.idOf(fixtures.agent()),
    agent_name: fixtures.fresh('Clone'),
  }),
  'agent-manifests.importAgents': (fixtures) => ({
    application: { ref_name: fixtures.fresh('shop'), name: 'Imported' },
    agents: [{ name: fixtures.fresh('Imported') }],
  }),
  'agent-manifests.exportAgent': async (fixtures) => ({ agent_id: await fixtures.idOf(fixtures.agent()) }),
  'agent-sessions.updateAgentSessionState': async (fixtures) => ({
    agent_id: await fixtures.idOf(fixtures.agent()),
    session_id: (await fixtures.task()).session_id,
    state: { seen: true },
  }),
};
