import { FenceLost } from '@signalbox/platform';
import { RunEndedError } from '@signalbox/runs';

export interface DeliveredText {
  text: string;
  /** Clients have received deltas of an earlier attempt, which have to be replaced. */
  stale: boolean;
}

export interface AnswerStreamTarget {
  /** The task is likely to have subscribers, so the model call is streamed. */
  isEnabled: boolean;
  /** With `restart` the delta replaces all earlier ones of the step. */
  emit: (content: string, restart: boolean) => Promise<void>;
  hasSubscriber: () => boolean;
  /** Returns the function that removes the listener. */
  onSubscriber: (callback: () => void) => () => void;
  /** True when an earlier worker has emitted deltas of this step. */
  stale: boolean;
}

/** Delay of the first delta: an answer that completes within it is emitted with its end. */
const FIRST_MS = 10;
/** Flush interval; grows with write latency so that writing stays below 20 % of the time. */
const PAUSE_MS = 50;
const PAUSE_PER_WRITE = 4;
const RETRY_MS = 1000;

/**
 * The text of one step, emitted as deltas while the task has subscribers. The first delta of the next attempt replaces
 * the text of a failed one (`restart`).
 */
export class AnswerStream {
  private readonly controller = new AbortController();
  private text = '';
  private delivered = '';
  private delayMs = FIRST_MS;
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> | undefined;
  private ended = false;

  private stale: boolean;
  private readonly stop: () => void;

  constructor(private readonly target: AnswerStreamTarget) {
    this.stale = target.stale;
    this.stop = target.onSubscriber(() => this.schedule());
  }

  get isEnabled(): boolean {
    return this.target.isEnabled;
  }

  /** Aborted when the task has ended or another worker has taken it over. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Discards the text of the last attempt. */
  async begin(): Promise<void> {
    await this.finishWrite();
    if (this.delivered !== '') this.stale = true;
    this.text = '';
    this.delivered = '';
  }

  append(text: string): void {
    this.text += text;
    this.schedule();
  }

  private schedule(): void {
    if (this.ended || this.timer || this.writing || !this.target.hasSubscriber()) return;
    if (this.text.length > this.delivered.length) this.timer = setTimeout(() => this.write(), this.delayMs);
  }

  async end(): Promise<DeliveredText> {
    this.ended = true;
    this.stop();
    await this.finishWrite();
    return { text: this.delivered, stale: this.stale };
  }

  private async finishWrite(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    await this.writing;
  }

  private write(): void {
    this.timer = undefined;
    const content = this.text.slice(this.delivered.length);
    if (content === '') return;
    const began = Date.now();
    this.writing = this.target
      .emit(content, this.stale)
      .then(
        () => {
          this.delivered += content;
          this.stale = false;
          this.delayMs = Math.max(PAUSE_MS, (Date.now() - began) * PAUSE_PER_WRITE);
        },
        (error: unknown) => this.failed(error),
      )
      .finally(() => {
        this.writing = undefined;
        this.schedule();
      });
  }

  /** Retried later, together with the text since then. */
  private failed(error: unknown): void {
    this.delayMs = RETRY_MS;
    if (!(error instanceof FenceLost || error instanceof RunEndedError)) return;
    this.ended = true;
    this.controller.abort(error);
  }
}
