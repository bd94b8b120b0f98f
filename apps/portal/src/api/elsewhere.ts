import type { Task } from '@signalbox/sdk';
import { useNames } from './names.js';

/** Whether a task was told by the trace of a program that runs elsewhere. The trigger of its tests is TEST. */
export function useIsElsewhere({ agent_id, trigger }: Pick<Task, 'agent_id' | 'trigger'>): boolean {
  return useNames('externalAgents').has(agent_id) || trigger === 'EXTERNAL';
}
