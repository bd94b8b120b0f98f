import { randomUUID } from 'node:crypto';
import { createClient, type Signalbox } from '@signalbox/sdk';
import { type Load, startLoad } from '@signalbox/testing';
import { ANSWER } from './outside.js';
import type { Fixtures } from './fixtures.js';

/** How many callers make which calls. */
const CALLERS = {
  invoke: 2,
  'task stream': 2,
  workflow: 2,
  'run stream': 1,
  completion: 2,
  'completion stream': 2,
  'test run': 1,
  read: 1,
  write: 1,
};
export type Kind = keyof typeof CALLERS;
export const KINDS = Object.keys(CALLERS) as Kind[];

/** Above what a call takes whose process was killed: its second try waits until the first one's deadline. */
const PATIENCE_MS = 400_000;

/** A call that has ended, in epoch milliseconds. */
export interface EndedCall {
  kind: Kind;
  began: number;
  ended: number;
  failure: string | null;
}

/** What a client was told that it has; each by its name in the calls. */
export interface Accepted {
  tasks: string[];
  runs: string[];
  chats: { name: string; requestId: string }[];
  applications: { name: string; id: number }[];
  items: string[];
}

/** Clients of every kind that use the SDK, so with the retries and resumed streams that it documents. */
export class Customers {
  readonly calls: EndedCall[] = [];
  readonly accepted: Accepted = { tasks: [], runs: [], chats: [], applications: [], items: [] };
  private readonly client: Signalbox;
  private readonly loads: Load[] = [];
  private readonly open = new Map<symbol, number>();

  constructor(
    baseUrl: string,
    apiKey: string,
    private readonly fixtures: Fixtures,
    private readonly paceMs: number,
  ) {
    this.client = createClient({ apiKey, baseUrl, timeoutMs: PATIENCE_MS });
  }

  start(): void {
    for (const kind of KINDS) this.loads.push(startLoad(CALLERS[kind], () => this.observed(kind)));
  }

  /** Lets the calls in flight end. */
  async stop(): Promise<void> {
    await Promise.all(this.loads.map((load) => load.stop()));
  }

  /** Calls of each kind that have succeeded. */
  succeeded(kind: Kind): number {
    return this.calls.filter((call) => call.kind === kind && call.failure === null).length;
  }

  /** Whether every call that began before a time has ended. */
  hasEndedThoseBefore(time: number): boolean {
    return [...this.open.values()].every((began) => began >= time);
  }

  private async observed(kind: Kind): Promise<void> {
    const [mark, began] = [Symbol(kind), Date.now()];
    this.open.set(mark, began);
    const failure = await this[kind]().then(
      () => null,
      (error: unknown) => (error instanceof Error ? `${error.name}: ${error.message}` : String(error)),
    );
    this.open.delete(mark);
    this.calls.push({ kind, began, ended: Date.now(), failure });
  }

  async invoke(): Promise<void> {
    const name = `task ${randomUUID()}`;
    const { choices } = await this.client.agents.invoke({ agent_id: this.fixtures.agentId, message: name });
    expectText(choices?.[0]?.message.content, ANSWER);
    this.accepted.tasks.push(name);
  }

  async 'task stream'(): Promise<void> {
    const name = `task ${randomUUID()}`;
    const call = { agent_id: this.fixtures.agentId, message: name, stream: true } as const;
    await expectWholeStream(this.client.agents.invoke(call), 'task.completed');
    this.accepted.tasks.push(name);
  }

  async workflow(): Promise<void> {
    const name = `run ${randomUUID()}`;
    const call = { workflow_id: this.fixtures.workflowId, input: { name }, mode: 'sync' } as const;
    const { output } = await this.client.workflows.execute(call);
    expectText((output as { said?: string } | null | undefined)?.said, ANSWER);
    this.accepted.runs.push(name);
  }

  async 'run stream'(): Promise<void> {
    const name = `run ${randomUUID()}`;
    const call = { workflow_id: this.fixtures.workflowId, input: { name }, mode: 'stream' } as const;
    await expectWholeStream(this.client.workflows.execute(call), 'run.completed');
    this.accepted.runs.push(name);
  }

  async completion(): Promise<void> {
    const name = `chat ${randomUUID()}`;
    const messages = [{ role: 'user' as const, content: name }];
    const reply = await this.client.chat.create({ model: this.fixtures.model, messages });
    const [choice] = reply.choices as { message: { content: string } }[];
    expectText(choice?.message.content, ANSWER);
    this.accepted.chats.push({ name, requestId: reply.request_id });
  }

  async 'completion stream'(): Promise<void> {
    const name = `chat ${randomUUID()}`;
    const messages = [{ role: 'user' as const, content: name }];
    let said = '';
    let requestId = '';
    for await (const chunk of this.client.chat.create({ model: this.fixtures.model, messages, stream: true })) {
      said += chunk.choices[0]?.delta.content ?? '';
      requestId = chunk.request_id ?? requestId;
    }
    expectText(said, ANSWER);
    this.accepted.chats.push({ name, requestId });
  }

  async 'test run'(): Promise<void> {
    const { testRuns, testSets } = this.client;
    const { id: test_set_id } = await testSets.create({ name: `set ${randomUUID()}` });
    const names = [1, 2].map(() => `item ${randomUUID()}`);
    for (const content of names)
      await testSets.createItem({
        test_set_id,
        input: { messages: [{ role: 'user', content }] },
        expected_output: { text: ANSWER },
      });
    const consumer = { consumer_kind: 'MODEL', consumer_config: { model: this.fixtures.model } } as const;
    const { id } = await testRuns.create({ test_set_id, ...consumer });
    await testRuns.prepare({ id });
    await testRuns.execute({ id });
    for await (const { type } of testRuns.stream({ id })) if (type === 'run.completed') break;
    const { completed_items, failed_items } = await testRuns.get({ id });
    if (completed_items !== names.length)
      throw new Error(`a test run ended with ${completed_items} completed and ${failed_items} failed items`);
    this.accepted.items.push(...names);
  }

  async read(): Promise<void> {
    const { applications, agents, requests, models, testRuns, workflows } = this.client;
    await applications.list();
    await agents.listAllTasks();
    await requests.list();
    await models.list();
    await workflows.listAllRuns();
    await testRuns.list();
    await pause(this.paceMs);
  }

  async write(): Promise<void> {
    const name = `written ${randomUUID()}`;
    const { id } = await this.client.applications.create({ application_name: name });
    this.accepted.applications.push({ name, id });
    await this.client.agents.update({ agent_id: this.fixtures.agentId, meta: { last: id } });
    await pause(this.paceMs);
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

function expectText(said: unknown, expected: string): void {
  if (said !== expected) throw new Error(`the answer is ${JSON.stringify(said)} instead of ${expected}`);
}

/** Every event once and in order, and the end that is wanted. */
async function expectWholeStream(events: AsyncIterable<{ type: string; seq: number }>, end: string): Promise<void> {
  let last = { type: 'nothing', seq: 0 };
  for await (const { type, seq } of events) {
    if (seq !== last.seq + 1) throw new Error(`event ${seq} followed event ${last.seq}`);
    last = { type, seq };
  }
  if (last.type !== end) throw new Error(`the stream ended with ${last.type} instead of ${end}`);
}
