import { agentManifests, type InputOf, type ManifestAgent } from '@signalbox/contracts';
import { platform, world } from '../fixture.js';

const { exportAgent, importAgents } = agentManifests.endpoints;

type Import = InputOf<typeof agentManifests.endpoints.importAgents>;

export const action = (action_name: string) => ({
  action_name,
  action_type: 'llm' as const,
  description: 'does it',
  enabled: true,
  action_config: { prompt: 'Say hi' },
  meta: {},
  is_default: false,
  action_result_type: 'gather_info' as const,
  invocation_mode: 'foreground' as const,
});
export const SHOP = { ref_name: 'shop-two', name: 'Shop two' };
export const bring = (manifest: ManifestAgent[], change: Partial<Import> = {}, caller = world.caller()) =>
  platform.bus.call(
    importAgents,
    { application: SHOP, agents: manifest, on_conflict: 'error', prune: false, ...change },
    caller,
  );
export const take = (agent_id: number, version?: string) =>
  platform.bus.call(exportAgent, { agent_id, ...(version ? { version } : {}) }, world.caller());

export const FRONT: ManifestAgent = {
  name: 'Front',
  description: 'greets',
  instructions: 'Be kind',
  execution_mode: 'route',
  actions: [action('greet')],
  handoffs: ['Back'],
  form_fields: [
    {
      field_key: 'plan',
      label: 'Plan',
      field_type: 'enum',
      required: true,
      enum_values: ['a', 'b'],
      read_scope: 'all',
      write_scope: 'self',
    },
  ],
  routing: {
    config: { type: 'rules', default: { type: 'action', action: 'greet' } },
    rules: [
      {
        label: 'orders',
        conditions: [{ target_type: 'message', operator: 'contains', value: 'order', enabled: true }],
        route: { type: 'agent', agent: 'Back' },
        enabled: true,
      },
    ],
  },
};
export const BACK: ManifestAgent = { name: 'Back', instructions: 'Look orders up' };
