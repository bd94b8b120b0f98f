import type { Signalbox } from '@signalbox/sdk';
import { turnsOfRequests, turnsOfTasks } from '../../rules/turns.js';
import type { TurnSource } from './conversation.js';

/** A page includes the request before it, to tell which messages are new. */
export const requestTurns = (api: Signalbox, session_id: string): TurnSource => ({
  name: ['session turns', session_id],
  load: async (offset, limit, signal) => {
    const before = offset > 0 ? 1 : 0;
    const place = { session_id, sort: 'id', include_body: true, offset: offset - before, limit: limit + before };
    const { data, pagination } = await api.requests.list(place, { signal });
    return { turns: turnsOfRequests(data).slice(before), total: pagination.total };
  },
});

export const taskTurns = (api: Signalbox, agent_id: number, session_id: string): TurnSource => ({
  name: ['session turns', agent_id, session_id],
  load: async (offset, limit, signal) => {
    const place = { agent_id, session_id, sort: 'id', include_body: true, offset, limit };
    const { data, pagination } = await api.agents.listAllTasks(place, { signal });
    return { turns: turnsOfTasks(data), total: pagination.total };
  },
});
