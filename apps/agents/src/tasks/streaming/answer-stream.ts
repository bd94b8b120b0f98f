import { FenceLost } from '@signalbox/platform';
import { RunEndedError } from '@signalbox/runs';
import type { DeliveredText } from './delivered-text.js';

/** How a speech is told, and to whom. */
export interface Audience {
  /** Somebody may come to follow: it is worth asking for it piece by piece. */
  isWanted: boolean;
  /** Tells a piece of what is said; with `restart` it stands for everything told before. */
  tell: (content: string, restart: boolean) => Promise<void>;
  isFollowed: () => boolean;
  /** Calls back when somebody follows; answers how to stop. */
  onFollow: (heard: () => void) => () => void;
  /** A try of another worker has been told in part. */
  stale: boolean;
}

/** The first words wait this long for more: an answer that is there as quickly is told with its end. */
const FIRST_MS = 10;
/** Between two pieces; longer while telling takes long, so that it never takes more than a fifth of the time. */
const PAUSE_MS = 50;
const PAUSE_PER_WRITE = 4;
const RETRY_MS = 1000;

/**
 * What a model says in one step, told piece by piece while somebody follows. A try that fails is taken back with the
 * first words of the next one; clients never have to guess.
 */
export class AnswerStream {
  private readonly controller = new AbortController();
  private said = '';
  private told = '';
  private pause = FIRST_MS;
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> | undefined;
  private over = false;

  private stale: boolean;
  private readonly stop: () => void;

  constructor(private readonly audience: Audience) {
    this.stale = audience.stale;
    this.stop = audience.onFollow(() => this.plan());
  }

  get isWanted(): boolean {
    return this.audience.isWanted;
  }

  /** Aborted when the task turns out to be over, or somebody else's. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Another try begins: what the last one said counts no more. */
  async begin(): Promise<void> {
    await this.rest();
    if (this.told !== '') this.stale = true;
    this.said = '';
    this.told = '';
  }

  say(text: string): void {
    this.said += text;
    this.plan();
  }

  private plan(): void {
    if (this.over || this.timer || this.writing || !this.audience.isFollowed()) return;
    if (this.said.length > this.told.length) this.timer = setTimeout(() => this.write(), this.pause);
  }

  /** Nothing more is told here; answers what was. */
  async end(): Promise<DeliveredText> {
    this.over = true;
    this.stop();
    await this.rest();
    return { text: this.told, stale: this.stale };
  }

  private async rest(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    await this.writing;
  }

  private write(): void {
    this.timer = undefined;
    const content = this.said.slice(this.told.length);
    if (content === '') return;
    const began = Date.now();
    this.writing = this.audience
      .tell(content, this.stale)
      .then(
        () => {
          this.told += content;
          this.stale = false;
          this.pause = Math.max(PAUSE_MS, (Date.now() - began) * PAUSE_PER_WRITE);
        },
        (error: unknown) => this.failed(error),
      )
      .finally(() => {
        this.writing = undefined;
        this.plan();
      });
  }

  /** Where it could not be told just now it is told later, with what was said meanwhile. */
  private failed(error: unknown): void {
    this.pause = RETRY_MS;
    if (!(error instanceof FenceLost || error instanceof RunEndedError)) return;
    this.over = true;
    this.controller.abort(error);
  }
}
