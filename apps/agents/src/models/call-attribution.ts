import { type ChatCall, executedRelease } from '@signalbox/contracts';

/** The request type and origin under which a model call is recorded. */
export type CallAttribution = Pick<ChatCall, 'request_type' | 'origin' | 'origin_id' | 'agent_id' | 'release'>;

/** A call of an action test or a routing test: never production traffic, and without a task. */
export const OF_TEST: CallAttribution = { request_type: 'SYNTHETIC', origin: 'TEST' };

/** The part of a task under which its calls are recorded. */
interface CallingTask {
  id: string;
  agent_id: number;
  release: string | null;
  trigger: string;
}

/** A call of a task. */
export const ofTask = ({ id, agent_id, release, trigger }: CallingTask): CallAttribution => ({
  request_type: trigger === 'TEST' || trigger === 'MONITOR' ? 'SYNTHETIC' : 'PROD',
  origin: 'AGENT',
  origin_id: id,
  agent_id,
  ...executedRelease('agent', agent_id, release),
});
