import { formFields, routing, subAgents } from '@signalbox/contracts';
import type { Case } from './case.js';
import type { ConformanceFixtures } from './world.js';

type Json = Record<string, unknown>;

/** One agent per world whose parts are listed, changed and reordered; its own parts are made once. */
const composed = new WeakMap<ConformanceFixtures, Promise<unknown>>();
const links = new WeakMap<ConformanceFixtures, Promise<Json>>();
const rules = new WeakMap<ConformanceFixtures, Promise<Json>>();
const fields = new WeakMap<ConformanceFixtures, Promise<Json>>();

function once<T>(
  known: WeakMap<ConformanceFixtures, Promise<T>>,
  world: ConformanceFixtures,
  make: () => Promise<T>,
): Promise<T> {
  const made = known.get(world) ?? make();
  known.set(world, made);
  return made;
}

const composedId = (world: ConformanceFixtures) => once(composed, world, () => world.idOf(world.newAgent()));
const of: Case = async (world) => ({ agent_id: await composedId(world) });

async function newLink(world: ConformanceFixtures): Promise<Json> {
  const child_agent_id = await world.idOf(world.newAgent());
  const agent_id = await composedId(world);
  await world.call(subAgents.endpoints.addSubAgent, { agent_id, child_agent_id });
  return { agent_id, child_agent_id };
}
const link: Case = (world) => once(links, world, () => newLink(world));

const ruleBody = (world: ConformanceFixtures): Json => ({
  label: world.fresh('rule'),
  conditions: [{ target_type: 'message', operator: 'contains', value: 'order' }],
  route: { type: 'llm' },
});
async function newRule(world: ConformanceFixtures): Promise<Json> {
  const agent_id = await composedId(world);
  const { id } = await world.call(routing.endpoints.createRoutingRule, { agent_id, ...ruleBody(world) });
  return { agent_id, rule_id: id };
}
const rule: Case = (world) => once(rules, world, () => newRule(world));

const fieldBody = (world: ConformanceFixtures): Json => ({
  field_key: world.fresh('field'),
  label: 'Field',
  field_type: 'string',
});
async function newField(world: ConformanceFixtures): Promise<Json> {
  const agent_id = await composedId(world);
  const { id } = await world.call(formFields.endpoints.createFormField, { agent_id, ...fieldBody(world) });
  return { agent_id, field_id: id };
}
const field: Case = (world) => once(fields, world, () => newField(world));

/** Valid inputs for the parts of agents. */
export const AGENT_PART_CASES: Readonly<Record<string, Case>> = {
  'sub-agents.listSubAgents': of,
  'sub-agents.addSubAgent': async (world) => ({
    ...(await of(world)),
    child_agent_id: await world.idOf(world.newAgent()),
  }),
  'sub-agents.updateSubAgent': async (world) => ({ ...(await link(world)), action_result_type: 'complete_task' }),
  'sub-agents.removeSubAgent': newLink,
  'agent-routing.getRouting': of,
  'agent-routing.updateRouting': async (world) => ({ ...(await of(world)), type: 'rules', default: { type: 'llm' } }),
  'agent-routing.listRoutingRules': of,
  'agent-routing.createRoutingRule': async (world) => ({ ...(await of(world)), ...ruleBody(world) }),
  'agent-routing.getRoutingRule': rule,
  'agent-routing.updateRoutingRule': async (world) => ({ ...(await rule(world)), label: world.fresh('rule') }),
  'agent-routing.deleteRoutingRule': newRule,
  'agent-routing.reorderRoutingRule': async (world) => ({ ...(await rule(world)), position: 0 }),
  'agent-routing.testRouting': async (world) => ({
    ...(await of(world)),
    messages: [{ role: 'user', content: 'my order' }],
  }),
  'form-fields.listFormFields': of,
  'form-fields.createFormField': async (world) => ({ ...(await of(world)), ...fieldBody(world) }),
  'form-fields.getFormField': field,
  'form-fields.updateFormField': async (world) => ({ ...(await field(world)), label: 'Changed' }),
  'form-fields.deleteFormField': newField,
  'form-fields.reorderFormField': async (world) => ({ ...(await field(world)), position: 0 }),
  'agent-manifests.cloneAgent': async (world) => ({
    agent_id: await world.idOf(world.agent()),
    agent_name: world.fresh('Clone'),
  }),
  'agent-manifests.importAgents': (world) => ({
    application: { ref_name: world.fresh('shop'), name: 'Imported' },
    agents: [{ name: world.fresh('Imported') }],
  }),
  'agent-manifests.exportAgent': async (world) => ({ agent_id: await world.idOf(world.agent()) }),
  'agent-sessions.updateAgentSessionState': async (world) => ({
    agent_id: await world.idOf(world.agent()),
    session_id: (await world.task()).session_id,
    state: { seen: true },
  }),
};
