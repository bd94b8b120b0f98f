import { defineContract } from '../../../contract.js';
import { page } from '../../../contract/outputs.js';
import { Count, Default, Epoch, Flag, Id, Int, join, Nullable, Obj, Str } from '../../../fields/fields.js';
import { Deleted, ListQuery } from '../../../shapes.js';
import { AgentPath } from '../agent-path.js';
import { FeedbackBody, SessionFeedback } from '../../chat/session-feedback.js';
import { ListedTask } from './agent-tasks.js';
import { TimelineEvent } from './task-timelines.js';

/** A conversation with an agent. */
export class AgentSession {
  @Str(1, 128) session_id!: string;
  @Id() agent_id!: number;
  @Count() task_count!: number;
  @Obj() state!: Record<string, unknown>;
  @Int(1, 5) @Nullable() feedback_score!: number | null;
  @Str(0, 4000) @Nullable() feedback_text!: string | null;
  @Epoch() last_activity!: number;
  @Epoch() date_created!: number;
  @Epoch() date_updated!: number;
}
class SessionPath extends AgentPath {
  @Str(1, 2000) session_id!: string;
}
class SessionListQuery extends ListQuery {
  @Id() agent_id!: number;
  @Str(1, 2000) session_id!: string;
}
class SessionTasks extends SessionListQuery {
  @Flag() @Default(false) include_body?: boolean;
}
class AgentListQuery extends ListQuery {
  @Id() agent_id!: number;
}
class StateBody extends SessionPath {
  @Obj() state!: Record<string, unknown>;
}
const session = '/agents/{agent_id}/sessions/{session_id}';

/** Sessions of agents (docs/api/agents.md). */
export const agentSessions = defineContract(
  { name: 'agent-sessions', service: 'agents', tag: 'Agents' },
  {
    listAgentSessions: {
      get: '/agents/{agent_id}/sessions',
      summary: 'List the sessions of an agent',
      input: AgentListQuery,
      output: page(AgentSession),
    },
    getAgentSession: { get: session, summary: 'Get a session', input: SessionPath, output: AgentSession },
    deleteAgentSession: { delete: session, summary: 'Delete a session', input: SessionPath, output: Deleted },
    updateAgentSessionState: {
      put: `${session}/state`,
      summary: 'Change values of the state of a session; others are kept',
      input: StateBody,
      output: AgentSession,
    },
    listAgentSessionTimeline: {
      get: `${session}/timeline`,
      summary: 'List the events of a session, oldest first',
      input: SessionListQuery,
      output: page(TimelineEvent),
    },
    listAgentSessionTasks: {
      get: `${session}/tasks`,
      summary: 'List the tasks of a session',
      input: SessionTasks,
      output: page(ListedTask),
    },
    getAgentSessionFeedback: {
      get: `${session}/feedback`,
      summary: 'Get the feedback on a session',
      input: SessionPath,
      output: SessionFeedback,
    },
    setAgentSessionFeedback: {
      post: `${session}/feedback`,
      summary: 'Set the feedback on a session; it replaces earlier feedback',
      input: join(SessionPath, FeedbackBody),
      output: SessionFeedback,
    },
    deleteAgentSessionFeedback: {
      delete: `${session}/feedback`,
      summary: 'Remove the feedback on a session',
      input: SessionPath,
      output: Deleted,
    },
  },
);
