import { apiKeys, SCOPES } from '@signalbox/contracts';
import { eventually } from '@signalbox/testing';
import type { TaskCompany } from './task-world.js';

/** One event of a stream as a client reads it. */
export interface Frame {
  id: number;
  event: string;
  data: { type: string; seq: number; timestamp: number; task_id: string; [name: string]: unknown };
}

interface Sent {
  body?: object;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** The frames of the text of an event stream. */
export const framesOf = (text: string): Frame[] =>
  text
    .split('\n\n')
    .slice(0, -1)
    .filter((frame) => frame.startsWith('id:'))
    .map((frame) => {
      const part = (name: string): string => new RegExp(`^${name}: (.*)$`, 'm').exec(frame)?.[1] ?? '';
      return { id: Number(part('id')), event: part('event'), data: JSON.parse(part('data')) as Frame['data'] };
    });

/** A company's way in over HTTP. */
export class FrontDoor {
  private constructor(
    private readonly baseUrl: string,
    private readonly key: string,
  ) {}

  static async of({ outside: { platform }, world }: TaskCompany): Promise<FrontDoor> {
    const input = { name: 'streams', scopes: [...SCOPES] };
    const { key } = await platform.bus.call(apiKeys.endpoints.createApiKey, input, world.caller());
    return new FrontDoor(platform.baseUrl, key ?? '');
  }

  send(path: string, { body, headers, signal }: Sent = {}): Promise<Response> {
    return fetch(`${this.baseUrl}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: {
        'X-Service-Api-Key': this.key,
        ...(body ? { 'Content-Type': 'application/json' } : {}),
        ...headers,
      },
      body: body ? JSON.stringify(body) : null,
      signal: signal ?? null,
    });
  }

  /** All events of a task after the last that was seen, up to its end. */
  async follow(agentId: number, taskId: string, last?: number): Promise<Frame[]> {
    const headers: Record<string, string> = last === undefined ? {} : { 'Last-Event-ID': String(last) };
    return framesOf(await (await this.send(`/agents/${agentId}/tasks/${taskId}/stream`, { headers })).text());
  }

  /** A stream that can be looked at while it is open. */
  open(path: string, sent: Sent = {}): OpenStream {
    return new OpenStream((signal) => this.send(path, { ...sent, signal }));
  }
}

/** A stream that is being read. */
export class OpenStream {
  text = '';
  /** When each part of it came. */
  readonly arrivals: { at: number; text: string }[] = [];
  private readonly controller = new AbortController();
  readonly reply: Promise<Response>;
  readonly closed: Promise<void>;

  constructor(open: (signal: AbortSignal) => Promise<Response>) {
    this.reply = open(this.controller.signal);
    this.closed = this.reply.then((reply) => this.read(reply));
    this.closed.catch(() => undefined);
  }

  get frames(): Frame[] {
    return framesOf(this.text);
  }

  get deltas(): Frame[] {
    return this.frames.filter(({ event }) => event === 'message.delta');
  }

  until(what: string, check: () => boolean, limitMs = 30_000): Promise<unknown> {
    return eventually(what, check, limitMs);
  }

  leave(): void {
    this.controller.abort();
  }

  private async read(reply: Response): Promise<void> {
    const decoder = new TextDecoder();
    for await (const piece of reply.body ?? []) {
      const text = decoder.decode(piece as Uint8Array, { stream: true });
      this.text += text;
      this.arrivals.push({ at: Date.now(), text });
    }
  }
}
