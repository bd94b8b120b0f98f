import { partOf } from './ordered-child.js';

export const LINKS = partOf('sub-agent', 'sub_agents', ['child_agent_id', 'version', 'release', 'action_result_type'], {
  search: ['(SELECT c.agent_name FROM agents.agents c WHERE c.company_id = t.company_id AND c.id = t.child_agent_id)'],
  uniqueViolations: { sub_agents_child: 'the agent has this sub-agent already' },
});
