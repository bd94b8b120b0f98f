import type { ChatCall } from '@signalbox/contracts';
import type { RunningTask } from '../loop/running-task.js';

/** What a model call is recorded as: its purpose and what made it. */
export type CallAttribution = Pick<ChatCall, 'request_type' | 'origin' | 'origin_id' | 'agent_id'>;

/** A call of an action test or a routing test: never production traffic, and made by no task. */
export const OF_TEST: CallAttribution = { request_type: 'SYNTHETIC', origin: 'TEST' };

/** A call that a task makes to do its work. */
export const ofTask = ({ id, agent_id, trigger }: RunningTask): CallAttribution => ({
  request_type: trigger === 'TEST' ? 'SYNTHETIC' : 'PROD',
  origin: 'AGENT',
  origin_id: id,
  agent_id,
});
