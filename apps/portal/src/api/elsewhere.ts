import type { Task } from '@signalbox/sdk';
import { useNames } from './names.js';

/** Whether the task is from the trace of an external program; tests of one have the trigger TEST. */
export function useIsElsewhere({ agent_id, trigger }: Pick<Task, 'agent_id' | 'trigger'>): boolean {
  return useNames('externalAgents').has(agent_id) || trigger === 'EXTERNAL';
}
