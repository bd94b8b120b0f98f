import { type ChatCall, executedRelease } from '@signalbox/contracts';
import type { RunningTask } from '../loop/running-task.js';

/** The request type and origin under which a model call is recorded. */
export type CallAttribution = Pick<ChatCall, 'request_type' | 'origin' | 'origin_id' | 'agent_id' | 'release'>;

/** A call of an action test or a routing test: never production traffic, and without a task. */
export const OF_TEST: CallAttribution = { request_type: 'SYNTHETIC', origin: 'TEST' };

/** A call of a task. */
export const ofTask = ({ id, agent_id, release, trigger }: RunningTask): CallAttribution => ({
  request_type: trigger === 'TEST' || trigger === 'MONITOR' ? 'SYNTHETIC' : 'PROD',
  origin: 'AGENT',
  origin_id: id,
  agent_id,
  ...executedRelease('agent', agent_id, release),
});
