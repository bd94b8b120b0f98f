import { Serves } from '@signalbox/bus';
import { agentAnswers, type CallTo, Chunks, type Handlers, type Invocation } from '@signalbox/contracts';
import { invocationHeaders } from '../tasks/index.js';
import { TaskAnswers } from './task-answers.js';
import { StreamedAnswers } from './streamed-answers.js';
import { TaskSubmission } from './task-submission.js';

type C = typeof agentAnswers;

@Serves(agentAnswers)
export class AgentAnswerHandlers implements Handlers<C> {
  constructor(
    private readonly submission: TaskSubmission,
    private readonly answers: StreamedAnswers,
    private readonly completeAnswers: TaskAnswers,
  ) {}

  async getAnswer({ input, caller }: CallTo<C, 'getAnswer'>): Promise<Invocation> {
    return this.completeAnswers.reply(await this.submission.accept(input, caller, 'CHAT'), caller, true);
  }

  async invokeFor({ input: { trigger, ...input }, caller }: CallTo<C, 'invokeFor'>): Promise<Invocation> {
    return this.completeAnswers.reply(await this.submission.accept(input, caller, trigger), caller, input.wait);
  }

  async streamAnswer({ input, caller, signal = neverAborted() }: CallTo<C, 'streamAnswer'>): Promise<Chunks> {
    const accepted = await this.submission.accept({ ...input, stream: true }, caller, 'CHAT');
    const headers = invocationHeaders({ id: accepted.task_id, session_id: accepted.session_id });
    return new Chunks(this.answers.lines(accepted, { caller, signal }), headers);
  }
}

const neverAborted = (): AbortSignal => new AbortController().signal;
