import type { AgentAction, AgentSummary } from '@signalbox/contracts';

/** The fields of an agent that a version freezes. */
export type AgentDraft = Pick<
  AgentSummary,
  | 'agent_name'
  | 'description'
  | 'execution_mode'
  | 'model'
  | 'system_prompt'
  | 'strategy_prompt_addendum'
  | 'agent_config'
  | 'max_iterations'
  | 'max_cost'
  | 'response_format'
  | 'base_url'
  | 'meta'
>;

/** An action as a version freezes it. */
export type ActionDraft = Omit<AgentAction, 'date_created' | 'agent_id' | 'status'>;

/** Everything a task needs to know of its agent: the draft or a published version. */
export interface AgentSnapshot extends AgentDraft {
  actions: ActionDraft[];
}
