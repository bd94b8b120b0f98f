import type { FieldDraft } from '../../drafts/index.js';
import type { TaskChild } from '../../sub-agents/index.js';
import { capabilitiesOf, describeCapabilities } from './capabilities.js';
import type { TaskAction } from '../../actions/index.js';

const action: TaskAction = {
  id: 1,
  action_name: 'Desk',
  action_type: 'api',
  description: 'looks up',
  enabled: true,
  action_config: { endpoint: '/x' },
  meta: {},
  is_default: false,
  action_result_type: 'gather_info',
  invocation_mode: 'foreground',
};
const child: TaskChild = {
  id: 1,
  child_agent_id: 9,
  version: null,
  release: null,
  action_result_type: 'gather_info',
  position: 0,
  agent_name: 'Desk',
  description: null,
};
const field = (change: Partial<FieldDraft> = {}): FieldDraft => ({
  id: 1,
  field_key: 'mood',
  label: 'Mood',
  field_type: 'enum',
  description: 'of the caller',
  required: false,
  enum_values: ['good', 'bad'],
  default_value: null,
  read_scope: 'all',
  write_scope: 'all',
  position: 0,
  ...change,
});

describe('the tools of a task', () => {
  it('have unique names', () => {
    const { actions, children, stateTool } = capabilitiesOf({
      actions: [action, { ...action, id: 2, action_name: 'update_state' }],
      sub_agents: [child],
      form_fields: [field()],
    });
    expect([...actions.map(({ tool }) => tool), ...children.map(({ tool }) => tool), stateTool]).toEqual([
      'Desk',
      'update_state',
      'Desk_2',
      'update_state_2',
    ]);
  });

  it('leave out sub-agents without a target at the start of the task, and the state tool without fields', () => {
    const { agent_name, ...link } = child;
    void agent_name;
    expect(capabilitiesOf({ actions: [], sub_agents: [link] })).toEqual({ actions: [], children: [], stateTool: null });
  });

  it('include a state tool with the fields that the task may write', () => {
    const tools = describeCapabilities(capabilitiesOf({ actions: [], form_fields: [field()] }), [field()]);
    expect(tools[0]?.function.parameters).toMatchObject({
      properties: { mood: { type: 'string', description: 'Mood: of the caller', enum: ['good', 'bad'] } },
      required: [],
    });
  });
});
