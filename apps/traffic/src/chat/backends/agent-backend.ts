import { type BusClient, linesOf, type ChunkedReply, textIn } from '@signalbox/bus';
import {
  agentAnswers,
  agentLinks,
  type AnswerChunk,
  ApiError,
  type Caller,
  type CompletionCall,
  notFound,
  nullIfNotFound,
  type Invocation,
  parse,
  recordedMessage,
} from '@signalbox/contracts';
import type { ChatChunk, ChatCompletion } from '@signalbox/llm';
import { type PushStream, pushStreamOf } from '@signalbox/platform';
import { AgentChunks } from './agent-chunks.js';
import type { AgentName } from '../../models/index.js';
import type { AnsweredBy } from '../../request-records/index.js';
import type { ProviderReply } from '../chat-call.js';
import type { CompletionBackend, CompletionContext, Parameters } from './completion-backend.js';
import { FailedAnswer } from './failed-answer.js';

const MAX_NAME = 200;
const MAX_ID = 2 ** 31 - 1;
const UNKNOWN = notFound('agent').message;
const ANSWER_ID = 'chatcmpl-';
const TASK_HEADER = 'X-Service-Task-Id';

export interface AgentCall {
  secrets?: CompletionCall['secrets'];
  applicationId?: number | null;
  /** Of the call; the agent has a session of its own. */
  sessionId?: string | null;
}

/** Completes calls by an agent; its model calls are recorded separately. */
export class AgentBackend implements CompletionBackend {
  readonly provider = 'agents';
  readonly prices = { input_price_per_mtok: null, output_price_per_mtok: null };

  private constructor(
    private readonly bus: BusClient,
    readonly model: string,
    private readonly agentId: number,
    private readonly target: Pick<AgentName, 'version' | 'release'>,
    private readonly secrets: CompletionCall['secrets'],
    private readonly sessionId: string | null | undefined,
    /** For an id that is no agent's: the agent whose name consists of these digits. */
    private readonly byName: (() => Promise<number | null>) | null,
  ) {}

  /** Throws 404 `model_not_found` when the company has no such agent. */
  static async find(
    bus: BusClient,
    model: string,
    { idOrName, ...target }: AgentName,
    caller: Caller,
    { secrets, applicationId, sessionId }: AgentCall,
  ): Promise<AgentBackend> {
    const byName = (): Promise<number | null> => named(bus, idOrName, caller, applicationId);
    const given = /^[1-9]\d{0,9}$/.test(idOrName) ? Number(idOrName) : 0;
    const isId = given > 0 && given <= MAX_ID;
    const id = isId ? given : await byName();
    if (!id) throw notFound(`model ${model}`, { code: 'model_not_found' });
    return new AgentBackend(bus, model, id, target, secrets, sessionId, isId ? byName : null);
  }

  answeredBy(answer: ProviderReply | null): AnsweredBy | null {
    const taskId = answer?.id?.startsWith(ANSWER_ID) ? answer.id.slice(ANSWER_ID.length) : '';
    return taskId === '' ? null : { taskId, runId: null };
  }

  async complete(parameters: Parameters, { caller, signal }: CompletionContext): Promise<ChatCompletion> {
    const { getAnswer } = agentAnswers.endpoints;
    try {
      const reply = await this.invoked(parameters, (invocation) =>
        this.bus.forward(getAnswer, parse(getAnswer.input, invocation), caller, signal),
      );
      return completionOf(this.model, JSON.parse(textIn(reply)) as Invocation);
    } catch (error) {
      throw agentFailed(this.model, error);
    }
  }

  async stream(parameters: Parameters, { caller, signal }: CompletionContext): Promise<PushStream<ChatChunk>> {
    const { streamAnswer } = agentAnswers.endpoints;
    try {
      const reply = await this.invoked(parameters, (invocation) =>
        this.bus.stream(streamAnswer, parse(streamAnswer.input, invocation), caller, signal),
      );
      return pushStreamOf(this.chunks(reply));
    } catch (error) {
      throw agentFailed(this.model, error);
    }
  }

  private async *chunks(reply: ChunkedReply): AsyncGenerator<ChatChunk> {
    const chunks = new AgentChunks(this.model, reply.headers[TASK_HEADER] ?? '');
    try {
      for await (const chunk of linesOf<AnswerChunk>(reply.chunks))
        yield* 'text' in chunk ? chunks.text(chunk.text) : chunks.end(completionOf(this.model, chunk.result));
    } catch (error) {
      throw agentFailed(this.model, error);
    }
  }

  /** Looks the name up only when no agent has the id: most calls need no look-up. */
  private async invoked<T>(parameters: Parameters, invoke: (invocation: object) => Promise<T>): Promise<T> {
    try {
      return await invoke(this.invocation(parameters, this.agentId));
    } catch (error) {
      const isUnknown = error instanceof ApiError && error.kind === 'not_found' && error.message === UNKNOWN;
      const id = isUnknown && this.byName ? await this.byName() : null;
      if (!id) throw error;
      return invoke(this.invocation(parameters, id));
    }
  }

  private invocation({ messages, response_format }: Parameters, agent_id: number): object {
    return {
      agent_id,
      messages: plainMessages(messages),
      ...this.target,
      ...(this.sessionId ? { session_id: this.sessionId } : {}),
      ...(response_format ? { response_format } : {}),
      ...(this.secrets ? { secrets: this.secrets } : {}),
    };
  }
}

/** Agents and workflows refuse keys that are specific to a provider, so they are dropped. */
export const plainMessages = (messages: Parameters['messages']) =>
  messages.map((message) => ({ ...recordedMessage(message), content: plainContent(message.content) }));

function plainContent(content: Parameters['messages'][number]['content']) {
  if (!Array.isArray(content)) return content;
  return content.map((part) =>
    part.type === 'text'
      ? { type: part.type, text: part.text }
      : { type: part.type, image_url: { url: part.image_url.url } },
  );
}

/** The agent with exactly this name in the application of the call, else the only one in the company. */
async function named(
  bus: BusClient,
  agent_name: string,
  caller: Caller,
  application_id: number | null = null,
): Promise<number | null> {
  if (agent_name === '' || agent_name.length > MAX_NAME) return null;
  const { findAgent } = agentLinks.endpoints;
  const found = await bus.call(findAgent, { agent_name, application_id }, caller).catch(nullIfNotFound);
  return found?.agent_id ?? null;
}

function completionOf(model: string, { choices, usage, created, task_id }: Invocation): ChatCompletion {
  // A task that waits for a callback has no answer yet, and a completion cannot wait that long.
  if (!choices) throw new FailedAnswer('timeout', `the agent waits for an event in task ${task_id}`, usage);
  return {
    id: `${ANSWER_ID}${task_id}`,
    object: 'chat.completion',
    created: created ?? Math.floor(Date.now() / 1000),
    model,
    choices: choices.map(({ index, message, finish_reason }) => ({
      index,
      message: { role: 'assistant' as const, content: typeof message.content === 'string' ? message.content : null },
      finish_reason: finish_reason === 'stop' ? ('stop' as const) : ('length' as const),
    })),
    usage: usage ? { ...usage } : null,
  };
}

function agentFailed(model: string, error: unknown): unknown {
  if (!(error instanceof ApiError)) return error;
  // An unknown model of the agent keeps its name; only an unknown agent becomes an unknown model.
  if (error.extras.code === 'model_not_found') return error;
  if (error.kind === 'not_found') return notFound(`model ${model}`, { code: 'model_not_found' });
  const { usage } = error.extras;
  if (error.kind === 'timeout') return new FailedAnswer('timeout', error.message, usage);
  if (error.kind === 'bad_upstream' || error.kind === 'unavailable')
    return new FailedAnswer('provider', error.message, usage);
  return error;
}
