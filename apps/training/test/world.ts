import type { EventEnvelope } from '@signalbox/contracts';
import { auditsAbout, eventsAbout, type Platform } from '@signalbox/testing';

/** A company that is called over HTTP, with short ways to what a test starts from. */
export class World {
  private constructor(
    readonly platform: Platform,
    readonly companyId: number,
    readonly key: string,
  ) {}

  static async make(platform: Platform): Promise<World> {
    const { companyId, key } = await platform.company();
    return new World(platform, companyId, key);
  }

  call(route: string, body?: unknown, headers: Record<string, string> = {}) {
    const [method = '', path = ''] = route.split(' ');
    return this.platform.api(this.key).send(method, path, body, headers);
  }

  /** The data of a call that has to succeed. */
  data(route: string, body?: unknown) {
    const [method = '', path = ''] = route.split(' ');
    return this.platform.api(this.key).data(method, path, body);
  }

  group = (name = 'ask') => this.data('POST /intent-groups', { intent_group_name: name });

  /** A dataset of a new intent group, or of a given one. */
  async dataset(change: Record<string, unknown> = {}) {
    const dataset_name = (change.dataset_name as string | undefined) ?? 'Golden';
    const intent_group_id = change.intent_group_id ?? (await this.group(`group of ${dataset_name}`)).id;
    return this.data('POST /datasets', { dataset_name, ...change, intent_group_id });
  }

  /** A dataset with rows that answer `question 1`, `question 2` and so on. */
  async filled(rows: number, change: Record<string, unknown> = {}) {
    const { id } = await this.dataset(change);
    const items = Array.from({ length: rows }, (_, at) => itemOf(`question ${at + 1}`, `answer ${at + 1}`));
    await this.data(`POST /datasets/${id}/requests`, { items });
    return this.data(`GET /datasets/${id}`);
  }

  /** The id of a recorded call of the echoing model. */
  async request(content: string, more: object = {}): Promise<string> {
    const body = { messages: [{ role: 'user', content }], model: 'simulated-echo', ...more };
    return ((await this.call('POST /chat/completions', body)).body as { request_id: string }).request_id;
  }

  /** The events about one resource, in the order of the outbox. */
  events(type: string, id: number): Promise<EventEnvelope[]> {
    return eventsAbout(this, 'training', type, id);
  }

  async audits(type: string, id: number): Promise<string[]> {
    return (await auditsAbout(this, 'training', type, id)).map(({ action }) => action);
  }
}

/** A row with one question and its answer. */
export const itemOf = (question: string, answer: string) => ({
  messages: [{ role: 'user', content: question }],
  response: { role: 'assistant', content: answer },
});

/** A line of a training file. */
export const lineOf = (question: string, answer: string, more: object = {}): string =>
  `${JSON.stringify({
    messages: [
      { role: 'user', content: question },
      { role: 'assistant', content: answer },
    ],
    ...more,
  })}\n`;
