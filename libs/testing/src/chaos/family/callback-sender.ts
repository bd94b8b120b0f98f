import { hooks } from '@signalbox/contracts';
import type { TargetCall, TargetScript } from '../../fakes/http-target.js';
import type { ScenarioContext } from '../scenario-run.js';

export const CALLBACK_TIMINGS = ['early', 'soon', 'twice', 'late'] as const;
export type CallbackTiming = (typeof CALLBACK_TIMINGS)[number];

/** Sent until the platform accepted it or replied that the hook is unknown. */
export interface SentCallback {
  task: number;
  hookKey: string;
  nonce: string;
  accepted: boolean;
  /** An attempt ended without a reply, so it may have been accepted. */
  unconfirmed: boolean;
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
/** Must stay below the platform's time-out of an action's reply. */
const EARLY_MS = 2000;

export class CallbackSender {
  readonly callBacks: SentCallback[] = [];
  readonly faults: string[] = [];
  private readonly pending = new Set<Promise<void>>();
  private context: ScenarioContext | null = null;

  constructor(
    private readonly timingOf: (task: number) => CallbackTiming,
    private readonly random: () => number,
  ) {}

  /** Not in the constructor, because the context exists only once the platform runs. */
  useContext(context: ScenarioContext): void {
    this.context = context;
  }

  /** Calls that carry a URL are called back. */
  readonly answer: TargetScript = async (call) => {
    const latencyMs = 10 + this.random() * 50;
    const order = orderIn(call);
    if (!order) return { latencyMs };
    const timing = this.timingOf(order.task);
    if (timing === 'early') await Promise.race([this.callBack(order), sleep(EARLY_MS)]);
    else if (timing === 'late') this.later(order, 3000 + this.random() * 3000);
    else this.later(order, 100 + this.random() * 300);
    if (timing === 'twice') this.later(order, 100 + this.random() * 300);
    return { latencyMs };
  };

  async finish(): Promise<void> {
    while (this.pending.size > 0) await Promise.all([...this.pending]);
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
      .finally(() => this.pending.delete(tracked));
    this.pending.add(tracked);
  }

  private async send({ task, hookKey }: Order): Promise<void> {
    const { rawClient, history } = this.context ?? never();
    const nonce = `answer ${this.callBacks.length} to task ${task}`;
    const sent: SentCallback = { task, hookKey, nonce, accepted: false, unconfirmed: false };
    this.callBacks.push(sent);
    for (;;) {
      const { status, text } = await history.record('callback', () =>
        rawClient.send(hooks.endpoints.answerHook, { hook_key: hookKey, payload: { nonce } }),
      );
      sent.accepted = status === 200;
      if (status === 200 || status === 404) return;
      if (status >= 400 && status < 500 && status !== 429 && !text.includes('did not arrive in time'))
        return void this.faults.push(`the callback of task ${task} was refused with ${status}: ${text.slice(0, 200)}`);
      sent.unconfirmed = true;
      await sleep(150);
    }
  }
}

interface Order {
  task: number;
  hookKey: string;
}

function never(): never {
  throw new Error('the platform does not run yet, so no callback can be sent');
}

export const numberIn = (text: string): number => Number(/task (\d+)/.exec(text)?.[1] ?? -1);

function orderIn({ body }: TargetCall): Order | null {
  const text = body.toString();
  if (!text.includes('"reply_to"')) return null;
  const { id, reply_to: url } = JSON.parse(text) as { id: string; reply_to: string };
  return { task: numberIn(id), hookKey: url.split('/').at(-1) ?? '' };
}
