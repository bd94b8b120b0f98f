import { randomUUID } from 'node:crypto';
import { createClient, type Signalbox } from '@signalbox/sdk';
import { type Load, type LoadReport, type ModelProvider, type ModelRequest, startLoad } from '@signalbox/testing';

/** Longer than the invocation of a stream waits for its first event. */
const STREAM_MS = 600_000;

/** How many callers make which calls. */
const CALLERS: Record<Kind, number> = { task: 3, secret: 1, taskStream: 2, chat: 2, chatStream: 2, read: 1, write: 1 };
type Kind = 'task' | 'secret' | 'taskStream' | 'chat' | 'chatStream' | 'read' | 'write';

const READS = ['/company', '/applications', '/agents', '/agents/tasks', '/requests', '/models', '/api-keys'];

/** What the callers of a workload address. */
export interface Addressed {
  baseUrl: string;
  key: string;
  agentId: number;
  /** An agent whose action needs a secret of its caller. */
  keeperId: number;
  /** Between two quick calls of one caller: the load is to be interrupted, not to fill the machine. */
  paceMs: number;
  /** Writes have an Idempotency-Key, as those of the clients of the platform have. */
  hasKeys?: boolean;
}

/** Callers of every kind, each of which makes one call after the other; every accepted call is noted. */
export class Workload {
  /** Texts of the calls that were answered, by which the model calls of each are counted. */
  readonly tasks: string[] = [];
  readonly chats: string[] = [];
  /** Ids of what was recorded or created. */
  readonly requestIds: string[] = [];
  readonly written: number[] = [];
  private readonly loads: [Kind, Load][] = [];

  /** A gateway that stops ends streams early; the SDK continues them as the documentation says. */
  private readonly client: Signalbox;

  constructor(private readonly on: Addressed) {
    this.client = createClient({ apiKey: on.key, baseUrl: on.baseUrl, timeoutMs: STREAM_MS });
  }

  start(): void {
    for (const [kind, callers] of Object.entries(CALLERS) as [Kind, number][])
      this.loads.push([kind, startLoad(callers, () => this[kind]())]);
  }

  /** Calls of each kind that have ended. */
  get ended(): Record<Kind, number> {
    return Object.fromEntries(this.loads.map(([kind, load]) => [kind, load.ended])) as Record<Kind, number>;
  }

  async stop(): Promise<Record<Kind, LoadReport>> {
    const reports = await Promise.all(this.loads.map(async ([kind, load]) => [kind, await load.stop()] as const));
    return Object.fromEntries(reports) as Record<Kind, LoadReport>;
  }

  private async task(): Promise<void> {
    await this.invoked(this.on.agentId, {});
  }

  private async secret(): Promise<void> {
    await this.invoked(this.on.keeperId, { secrets: { TOKEN: 'secret-of-a-rolling-restart' } });
  }

  private async taskStream(): Promise<void> {
    const message = `task ${randomUUID()}`;
    let last = '';
    for await (const { type } of this.client.agents.invoke({ agent_id: this.on.agentId, message, stream: true }))
      last = type;
    if (last !== 'task.completed') throw new Error(`the stream of a task ended with ${last}`);
    this.tasks.push(message);
  }

  private async invoked(agentId: number, more: object): Promise<string> {
    const message = `task ${randomUUID()}`;
    const text = await this.send('POST', `/agents/${agentId}/invoke`, { message, ...more });
    if (!text.includes('"done"')) throw new Error(`a task ended with ${text.slice(-300)}`);
    this.tasks.push(message);
    return text;
  }

  private async chat(): Promise<void> {
    const content = `chat ${randomUUID()}`;
    const text = await this.send('POST', '/chat/completions', { model: 'm', messages: [{ role: 'user', content }] });
    const { request_id, choices } = JSON.parse(text) as {
      request_id: string;
      choices: { message: { content: string } }[];
    };
    if (choices[0]?.message.content !== CHAT_TEXT) throw new Error(`a completion said ${text.slice(0, 300)}`);
    this.chats.push(content);
    this.requestIds.push(request_id);
  }

  private async chatStream(): Promise<void> {
    const content = `chat ${randomUUID()}`;
    const messages = [{ role: 'user', content }];
    const text = await this.send('POST', '/chat/completions', { model: 'm', messages, stream: true });
    const said = [...text.matchAll(/"content":"([^"]*)"/g)].map(([, part]) => part).join('');
    if (said !== CHAT_TEXT || !text.includes('data: [DONE]'))
      throw new Error(`a stream ended with ${text.slice(-300)}`);
    this.chats.push(content);
  }

  private async read(): Promise<void> {
    for (const path of READS) {
      await this.send('GET', path);
      await pause(this.on.paceMs);
    }
  }

  private async write(): Promise<void> {
    const created = await this.send('POST', '/applications', { application_name: `written ${randomUUID()}` });
    const { id } = (JSON.parse(created) as { data: { id: number } }).data;
    this.written.push(id);
    await pause(this.on.paceMs);
    await this.send('PUT', `/agents/${this.on.agentId}`, { meta: { last: id } });
    await pause(this.on.paceMs);
  }

  private async send(method: string, path: string, body?: object): Promise<string> {
    const reply = await fetch(this.on.baseUrl + path, {
      method,
      headers: {
        'X-Service-Api-Key': this.on.key,
        ...(body ? { 'Content-Type': 'application/json' } : {}),
        ...(body && this.on.hasKeys ? { 'Idempotency-Key': randomUUID() } : {}),
      },
      body: body ? JSON.stringify(body) : null,
    });
    const text = await reply.text();
    if (!reply.ok) throw new Error(`${method} ${path} got ${reply.status}: ${text.slice(0, 300)}`);
    return text;
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const CHAT_TEXT = 'one two three four';
const CHUNK_GAPS = 4;

/** How long a model takes at most to choose an action. */
const CHOICE_MS = 4000;

/** Every answer of a model lasts `ms`, streams included; a task calls its action once before its answer. */
export function answerSlowly(provider: ModelProvider, ms: number): void {
  provider.answerWith(({ messages, tools, stream }) => {
    if (tools === undefined)
      return stream ? { text: CHAT_TEXT, chunkDelayMs: ms / CHUNK_GAPS } : { text: CHAT_TEXT, latencyMs: ms };
    return messages.at(-1)?.role === 'tool'
      ? { text: 'done', latencyMs: ms }
      : { toolCalls: [{ name: 'look_up', arguments: { id: '7' } }], latencyMs: Math.min(ms, CHOICE_MS) };
  });
}

/** How often the model was called for each user message. */
export function modelCallsByMessage(provider: ModelProvider): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { body } of provider.calls) {
    const asked = (body as ModelRequest).messages.filter(({ role }) => role === 'user').at(-1);
    const text = JSON.stringify(asked?.content);
    const message = /(task|chat) [0-9a-f-]{36}/.exec(text)?.[0] ?? text;
    counts.set(message, (counts.get(message) ?? 0) + 1);
  }
  return counts;
}
