import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { BusConnection } from '@signalbox/bus';
import { LOGGER, type Logger, slowdown } from '@signalbox/platform';
import { SecretHolder } from './secret-holder.js';
import { SealingKeys } from './sealing.js';
import { SecretTransfer } from './secret-transfer.js';

/** How long another process may take to reply, on a machine with free processors. */
const ANSWER_MS = 2000;
/** A transfer writes leases: a busy process may need longer, and one that is given up loses its runs. */
const TRANSFER_MS = 10_000;
/** Approximate size of a message with sealed secrets. */
const MESSAGE_BYTES = 256 * 1024;

interface HolderRequest {
  reply: string;
  /** Id of a run; the reply is whether the receiver holds its secrets. */
  holds?: string;
  /** Holder ids that the receiver takes over; `sealed` are their runs, completed by the last message. */
  keep?: { holders: string[]; sealed: string[]; last: boolean };
}

/** Takes over the holder ids of another process: claims their work and renews their leases. */
export type TakeOver = (holders: string[]) => Promise<void>;

/** Requests between the processes of a service: whether one holds the secrets of a run, and the transfer of secrets. */
@Injectable()
export class SecretExchange {
  private readonly keys = new SealingKeys();
  private readonly stops = new Map<string, () => void>();
  /** Only this service may publish and subscribe below this subject; core NATS stores nothing of it. */
  private readonly prefix: string;
  private keep: TakeOver | undefined;

  constructor(
    private readonly bus: BusConnection,
    private readonly secrets: SecretHolder,
    private readonly transfer: SecretTransfer,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.prefix = `work.${bus.name}.secrets.`;
  }

  /** The key for which other processes seal their secrets; null while this process accepts none. */
  get publicKey(): string | null {
    return this.keep ? this.keys.publicKey : null;
  }

  /** Accepts the secrets of processes that stop. */
  startAccepting(keep: TakeOver): void {
    this.keep = keep;
  }

  /** Accepts no more secrets, because this process stops. */
  stopAccepting(): void {
    this.keep = undefined;
  }

  /** Replies to requests for a holder id. */
  serve(holder: string): void {
    if (this.stops.has(holder)) return;
    const stop = this.bus.listen(`${this.prefix}${holder}`, (payload) => void this.answer(holder, payload));
    this.stops.set(holder, stop);
  }

  stopServing(holder: string): void {
    this.stops.get(holder)?.();
    this.stops.delete(holder);
  }

  close(): void {
    for (const holder of [...this.stops.keys()]) this.stopServing(holder);
  }

  /** True when a live process holds the secrets of a run under a holder id. */
  async holds(holder: string, runId: string): Promise<boolean> {
    if (this.secrets.of(runId)) return true;
    return this.request(holder, { holds: runId });
  }

  /** Transfers all secrets, sealed, to another process; true once it has accepted them. */
  async transferTo(holders: string[], to: { holder: string; public_key: string }): Promise<boolean> {
    const sealed = this.transfer.sealed(holders, to.public_key, to.holder);
    for (;;) {
      const part: string[] = [];
      for (let size = 0; sealed.length > 0 && size < MESSAGE_BYTES;) {
        const [next = ''] = sealed.splice(0, 1);
        part.push(next);
        size += next.length;
      }
      const last = sealed.length === 0;
      if (!(await this.request(to.holder, { keep: { holders, sealed: part, last } }))) return false;
      if (!last) continue;
      this.transfer.forget(holders);
      return true;
    }
  }

  private async answer(holder: string, payload: Uint8Array): Promise<void> {
    let reply = '';
    let yes = false;
    try {
      const request = JSON.parse(Buffer.from(payload).toString('utf8')) as HolderRequest;
      reply = request.reply;
      if (request.holds) yes = this.secrets.of(request.holds) !== undefined;
      else if (request.keep && this.keep) {
        this.transfer.adopt(this.keys, request.keep.sealed, holder);
        if (request.keep.last) await this.keep(request.keep.holders);
        yes = true;
      }
    } catch (error) {
      this.logger.warn({ error }, 'secrets could not be taken over');
    }
    if (reply) this.bus.announce(`${this.prefix}${reply}`, String(yes));
  }

  private request(holder: string, request: Omit<HolderRequest, 'reply'>): Promise<boolean> {
    const reply = randomUUID();
    return new Promise((resolve) => {
      const end = (yes: boolean): void => {
        clearTimeout(timer);
        stop();
        resolve(yes);
      };
      const timer = setTimeout(() => end(false), slowdown.allow(request.keep ? TRANSFER_MS : ANSWER_MS));
      const stop = this.bus.listen(`${this.prefix}${reply}`, (payload) =>
        end(Buffer.from(payload).toString() === 'true'),
      );
      this.bus.announce(`${this.prefix}${holder}`, JSON.stringify({ reply, ...request } satisfies HolderRequest));
    });
  }
}
