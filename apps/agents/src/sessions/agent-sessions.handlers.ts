import { Serves } from '@signalbox/bus';
import { agentSessions, type CallTo, type Handlers } from '@signalbox/contracts';
import { TaskRuns, Tasks, taskView } from '../tasks/index.js';
import { StateWrites } from './state-writes.repository.js';
import { AgentSessions } from './sessions.repository.js';
import { filtersOf } from '@signalbox/database';

type C = typeof agentSessions;

@Serves(agentSessions)
export class AgentSessionHandlers implements Handlers<C> {
  constructor(
    private readonly sessions: AgentSessions,
    private readonly tasks: Tasks,
    private readonly runs: TaskRuns,
    private readonly states: StateWrites,
  ) {}

  async listAgentSessions({ input, caller }: CallTo<C, 'listAgentSessions'>) {
    await this.tasks.agentOf(caller.companyId, input.agent_id);
    return this.sessions.list(caller.companyId, input.agent_id, input);
  }

  getAgentSession({ input, caller }: CallTo<C, 'getAgentSession'>) {
    return this.sessions.get(caller.companyId, input.agent_id, input.session_id);
  }

  deleteAgentSession({ input, caller }: CallTo<C, 'deleteAgentSession'>) {
    return this.sessions.remove(caller, input.agent_id, input.session_id);
  }

  updateAgentSessionState({ input, caller }: CallTo<C, 'updateAgentSessionState'>) {
    return this.states.set(caller, input);
  }

  async listAgentSessionTimeline({ input, caller }: CallTo<C, 'listAgentSessionTimeline'>) {
    const { id } = await this.sessions.find(caller.companyId, input.agent_id, input.session_id);
    return this.runs.timeline.ofColumn(caller.companyId, 'session_no', id, input);
  }

  async listAgentSessionTasks({ input, caller }: CallTo<C, 'listAgentSessionTasks'>) {
    const { id } = await this.sessions.find(caller.companyId, input.agent_id, input.session_id);
    const filters = filtersOf(taskView, { session_no: id });
    return this.tasks.list(caller.companyId, { ...input, filters }, input.include_body ?? false);
  }

  getAgentSessionFeedback({ input, caller }: CallTo<C, 'getAgentSessionFeedback'>) {
    return this.sessions.feedback(caller.companyId, input.agent_id, input.session_id);
  }

  setAgentSessionFeedback({ input, caller }: CallTo<C, 'setAgentSessionFeedback'>) {
    return this.sessions.setFeedback(caller, input.agent_id, input.session_id, input);
  }

  deleteAgentSessionFeedback({ input, caller }: CallTo<C, 'deleteAgentSessionFeedback'>) {
    return this.sessions.removeFeedback(caller, input.agent_id, input.session_id);
  }
}
