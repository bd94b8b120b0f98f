import {
  type HttpTarget,
  type ModelProvider,
  type ModelRequest,
  startHttpTarget,
  startModelProvider,
} from '@signalbox/testing';

/** What the model says at the end of everything. */
export const ANSWER = 'one two three four';
const CHUNK_GAPS = 4;
const NAME = /(?:task|chat|run|item) [0-9a-f-]{36}/;

/** The model and the API that a platform calls, both local. */
export class Outside {
  private constructor(
    readonly provider: ModelProvider,
    readonly target: HttpTarget,
  ) {}

  static async start(): Promise<Outside> {
    const [provider, target] = await Promise.all([startModelProvider(), startHttpTarget()]);
    return new Outside(provider, target);
  }

  /** Each answer takes so long, streams included; tasks call their action once before. */
  answerWithin([leastMs, mostMs]: [number, number]): void {
    this.provider.answerWith(({ messages, tools, stream }) => {
      const ms = leastMs + Math.random() * (mostMs - leastMs);
      if (tools !== undefined && messages.at(-1)?.role !== 'tool')
        return { toolCalls: [{ name: 'book', arguments: { name: nameIn(messages) } }], latencyMs: ms / 10 };
      return stream ? { text: ANSWER, chunkDelayMs: ms / CHUNK_GAPS } : { text: ANSWER, latencyMs: ms };
    });
  }

  /** How often the model was called for each name. */
  modelCalls(): Map<string, number> {
    return counted(this.provider.calls.map(({ body }) => nameIn((body as ModelRequest).messages)));
  }

  /** Idempotency keys of the effects of each name; two of them are two effects, a repeat under one key is not. */
  effects(): Map<string, Set<string>> {
    const found = new Map<string, Set<string>>();
    for (const { body, headers } of this.target.calls) {
      const name = NAME.exec(body.toString())?.[0] ?? body.toString();
      const key = String(headers['idempotency-key'] ?? `none ${found.size}`);
      found.set(name, (found.get(name) ?? new Set()).add(key));
    }
    return found;
  }

  async close(): Promise<void> {
    await Promise.all([this.provider.close(), this.target.close()]);
  }
}

const nameIn = (messages: ModelRequest['messages']): string => {
  const text = JSON.stringify(messages.filter(({ role }) => role === 'user').at(-1)?.content);
  return NAME.exec(text)?.[0] ?? text;
};

export function counted(names: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
