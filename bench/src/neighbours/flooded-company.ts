import type { ApiCompany } from './companies.js';
import { DEAD_PATH, type Flooded, LEAF, NESTING, STRICT_SCHEMA } from './floods.js';

/** What the floods of a company address; `target` is the address of its webhook, which never answers. */
export async function flooded(company: ApiCompany, target: string): Promise<Flooded> {
  const workflow = (workflow_ref_name: string, script: string, more: object = {}): Promise<number> =>
    company.create('/workflows', { workflow_ref_name, script, ...more });
  await workflow('leaf', LEAF);
  const ids = {
    agentId: await company.ruled('flooded', { value: 'b' }),
    nestingId: await workflow('nesting', NESTING, { allow_inproc_nesting: true, inproc_nested_refs: ['leaf'] }),
    strictId: await workflow('strict', 'function execute(ctx) { return 1 }', { input_schema: STRICT_SCHEMA }),
    testSetId: await company.create('/unified-test-sets', { name: 'flooded' }),
  };
  await company.create('/webhooks', { url: target + DEAD_PATH, events: ['agent.updated'] });
  return ids;
}
