import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { BusConnection } from '@signalbox/bus';
import { LOGGER, type Logger } from '@signalbox/platform';
import { SecretHolder } from './secret-holder.js';
import { SealingKeys } from './sealing.js';
import { SecretTransfer } from './secret-transfer.js';

const ANSWER_MS = 2000;
/** Sealed secrets travel in messages of about this size. */
const MESSAGE_BYTES = 256 * 1024;

interface Ask {
  reply: string;
  /** Does the receiver hold the secrets of this run? */
  holds?: string;
  /** The receiver shall keep these holder ids from now on; `sealed` are runs, the last message completes them. */
  keep?: { holders: string[]; sealed: string[]; last: boolean };
}

/** Keeps holder ids that were another process's: claims their work and reports them alive. */
export type Keep = (holders: string[]) => Promise<void>;

/** How processes of this service ask each other about the secrets they hold, and hand them over. */
@Injectable()
export class SecretExchange {
  private readonly keys = new SealingKeys();
  private readonly stops = new Map<string, () => void>();
  /** Only this service may publish and subscribe below it; core NATS, so nothing of it is stored. */
  private readonly prefix: string;
  private keep: Keep | undefined;

  constructor(
    private readonly bus: BusConnection,
    private readonly secrets: SecretHolder,
    private readonly transfer: SecretTransfer,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.prefix = `work.${bus.name}.secrets.`;
  }

  /** Others seal for this key what they hand over to this process; null while it takes nothing over. */
  get publicKey(): string | null {
    return this.keep ? this.keys.publicKey : null;
  }

  /** Takes secrets over from processes that stop. */
  takeOver(keep: Keep): void {
    this.keep = keep;
  }

  /** Takes nothing over any more: this process stops itself. */
  refuse(): void {
    this.keep = undefined;
  }

  /** Answers for a holder id. */
  answerFor(holder: string): void {
    if (this.stops.has(holder)) return;
    const stop = this.bus.listen(`${this.prefix}${holder}`, (payload) => void this.answer(holder, payload));
    this.stops.set(holder, stop);
  }

  leave(holder: string): void {
    this.stops.get(holder)?.();
    this.stops.delete(holder);
  }

  close(): void {
    for (const holder of [...this.stops.keys()]) this.leave(holder);
  }

  /** Whether some process is alive that holds the secrets of a run under a holder id. */
  async holds(holder: string, runId: string): Promise<boolean> {
    if (this.secrets.of(runId)) return true;
    return this.ask(holder, { holds: runId });
  }

  /** Hands all secrets over to another process, for which they are sealed; returns whether it keeps them now. */
  async handOver(holders: string[], to: { holder: string; public_key: string }): Promise<boolean> {
    const sealed = this.transfer.sealed(holders, to.public_key, to.holder);
    for (;;) {
      const part: string[] = [];
      for (let size = 0; sealed.length > 0 && size < MESSAGE_BYTES;) {
        const [next = ''] = sealed.splice(0, 1);
        part.push(next);
        size += next.length;
      }
      const last = sealed.length === 0;
      if (!(await this.ask(to.holder, { keep: { holders, sealed: part, last } }))) return false;
      if (!last) continue;
      this.transfer.forget(holders);
      return true;
    }
  }

  private async answer(holder: string, payload: Uint8Array): Promise<void> {
    let reply = '';
    let yes = false;
    try {
      const ask = JSON.parse(Buffer.from(payload).toString('utf8')) as Ask;
      reply = ask.reply;
      if (ask.holds) yes = this.secrets.of(ask.holds) !== undefined;
      else if (ask.keep && this.keep) {
        this.transfer.adopt(this.keys, ask.keep.sealed, holder);
        if (ask.keep.last) await this.keep(ask.keep.holders);
        yes = true;
      }
    } catch (error) {
      this.logger.warn({ error }, 'secrets could not be taken over');
    }
    if (reply) this.bus.announce(`${this.prefix}${reply}`, String(yes));
  }

  private ask(holder: string, question: Omit<Ask, 'reply'>): Promise<boolean> {
    const reply = randomUUID();
    return new Promise((resolve) => {
      const end = (yes: boolean): void => {
        clearTimeout(timer);
        stop();
        resolve(yes);
      };
      const timer = setTimeout(() => end(false), ANSWER_MS);
      const stop = this.bus.listen(`${this.prefix}${reply}`, (payload) =>
        end(Buffer.from(payload).toString() === 'true'),
      );
      this.bus.announce(`${this.prefix}${holder}`, JSON.stringify({ reply, ...question } satisfies Ask));
    });
  }
}
