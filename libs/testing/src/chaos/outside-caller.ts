import { hooks } from '@signalbox/contracts';
import type { TargetCall, TargetScript } from '../fakes/http-target.js';
import type { Transform } from './scenario-run.js';

/** One way in which somebody outside calls back. */
export const MANNERS = ['early', 'soon', 'twice', 'late'] as const;
/** When, and how often, a callback comes. */
export type Manner = (typeof MANNERS)[number];

/** One callback, sent until the platform took it or knew nothing of it. */
export interface CallBack {
  task: number;
  hookKey: string;
  nonce: string;
  /** Whether the platform said that it took it. */
  taken: boolean;
  /** Whether some try ended without an answer, so that it may have been taken unheard. */
  unheard: boolean;
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
/** Longer than the platform waits for the answer of an action would prove something else. */
const EARLY_MS = 2000;

/** Somebody who is called with a URL and calls it back, as stubbornly as a good webhook sender does. */
export class OutsideCaller {
  readonly callBacks: CallBack[] = [];
  readonly faults: string[] = [];
  private readonly under = new Set<Promise<void>>();
  private stage: Transform | null = null;

  constructor(
    private readonly mannerOf: (task: number) => Manner,
    private readonly random: () => number,
  ) {}

  /** The stage is known once the platform runs. */
  enter(stage: Transform): void {
    this.stage = stage;
  }

  /** What the outside world answers; calls that carry a URL are called back. */
  readonly answer: TargetScript = async (call) => {
    const latencyMs = 10 + this.random() * 50;
    const order = orderIn(call);
    if (!order) return { latencyMs };
    const manner = this.mannerOf(order.task);
    if (manner === 'early') await Promise.race([this.callBack(order), sleep(EARLY_MS)]);
    else if (manner === 'late') this.later(order, 3000 + this.random() * 3000);
    else this.later(order, 100 + this.random() * 300);
    if (manner === 'twice') this.later(order, 100 + this.random() * 300);
    return { latencyMs };
  };

  /** Everything that was to be called back has been. */
  async rest(): Promise<void> {
    while (this.under.size > 0) await Promise.all([...this.under]);
  }

  private later(order: Order, ms: number): void {
    this.track(sleep(ms).then(() => this.send(order)));
  }

  private callBack(order: Order): Promise<void> {
    const sent = this.send(order);
    this.track(sent);
    return sent;
  }

  private track(work: Promise<void>): void {
    const tracked = work
      .catch((error: unknown) => void this.faults.push(`a callback failed: ${String(error)}`))
      .finally(() => this.under.delete(tracked));
    this.under.add(tracked);
  }

  private async send({ task, hookKey }: Order): Promise<void> {
    const { door, history } = this.stage ?? never();
    const nonce = `answer ${this.callBacks.length} to task ${task}`;
    const sent: CallBack = { task, hookKey, nonce, taken: false, unheard: false };
    this.callBacks.push(sent);
    for (;;) {
      const { status, text } = await history.record('callback', () =>
        door.send(hooks.endpoints.answerHook, { hook_key: hookKey, payload: { nonce } }),
      );
      sent.taken = status === 200;
      if (status === 200 || status === 404) return;
      if (status >= 400 && status < 500 && status !== 429 && !text.includes('did not arrive in time'))
        return void this.faults.push(`the callback of task ${task} was refused with ${status}: ${text.slice(0, 200)}`);
      sent.unheard = true;
      await sleep(150);
    }
  }
}

interface Order {
  task: number;
  hookKey: string;
}

function never(): never {
  throw new Error('nobody can call back before the platform runs');
}

/** The number of a task as it travels in texts. */
export const numberIn = (text: string): number => Number(/task (\d+)/.exec(text)?.[1] ?? -1);

function orderIn({ body }: TargetCall): Order | null {
  const text = body.toString();
  if (!text.includes('"reply_to"')) return null;
  const { id, reply_to: url } = JSON.parse(text) as { id: string; reply_to: string };
  return { task: numberIn(id), hookKey: url.split('/').at(-1) ?? '' };
}
