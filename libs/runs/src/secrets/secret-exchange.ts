import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { BusConnection } from '@signalbox/bus';
import { LOGGER, type Logger, slowdown } from '@signalbox/platform';
import { SecretHolder } from './secret-holder.js';
import { SealingKeys } from './sealing.js';
import { SecretTransfer } from './secret-transfer.js';

/** On a machine with free processors. */
const ANSWER_MS = 2000;
/** A transfer writes leases: a busy process may need longer, and one that is given up loses its runs. */
const TRANSFER_MS = 10_000;
/** How long a receiver keeps an incomplete transfer. */
const STAGED_MS = 60_000;
/** Approximate, with sealed secrets. */
const MESSAGE_BYTES = 256 * 1024;

interface HolderRequest {
  reply: string;
  /** Whether the receiver holds the secrets of this run. */
  holds?: string;
  /** Holder ids to take over with `sealed`, their runs, completed by the last message. */
  keep?: { holders: string[]; sealed: string[]; last: boolean; transfer?: string };
  /** All parts of this transfer have arrived: the receiver takes its runs over now. */
  complete?: string;
}

/** Reply to the parts of a transfer that is completed later; earlier releases reply `true`. */
const STAGED = 'staged';

interface StagedTransfer {
  holders: string[];
  sealed: string[];
  timer: NodeJS.Timeout;
}

export type TakeOver = (holders: string[]) => Promise<void>;

/** Requests between the processes of a service: whether one holds the secrets of a run, and the transfer of secrets. */
@Injectable()
export class SecretExchange {
  private readonly keys = new SealingKeys();
  private readonly stops = new Map<string, () => void>();
  private readonly staged = new Map<string, StagedTransfer>();
  /** Only this service has rights below this subject; core NATS stores nothing. */
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

  /** Null while this process accepts none. */
  get publicKey(): string | null {
    return this.keep ? this.keys.publicKey : null;
  }

  startAccepting(keep: TakeOver): void {
    this.keep = keep;
  }

  stopAccepting(): void {
    this.keep = undefined;
  }

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
    for (const id of [...this.staged.keys()]) this.unstage(id);
  }

  async holds(holder: string, runId: string): Promise<boolean> {
    if (this.secrets.of(runId)) return true;
    return (await this.request(holder, { holds: runId })) === 'true';
  }

  /**
   * Transfers all secrets, sealed, to another process; false when it has not taken them over and never will. It holds
   * nothing until all parts have arrived and it is asked to take over. When that reply is lost it may have taken over,
   * so no other process is asked.
   */
  async transferTo(holders: string[], to: { holder: string; public_key: string }): Promise<boolean> {
    const transfer = randomUUID();
    const reply = await this.sendParts(holders, to, transfer);
    if (reply !== STAGED && reply !== 'true') return false;
    const completed = reply === 'true' ? 'true' : await this.request(to.holder, { complete: transfer });
    if (completed === 'false') return false;
    if (completed === null) this.logger.warn({ to: to.holder }, 'it is not known whether secrets were taken over');
    this.transfer.forget(holders);
    return true;
  }

  private async sendParts(holders: string[], to: { holder: string; public_key: string }, transfer: string) {
    const sealed = this.transfer.sealed(holders, to.public_key, to.holder);
    for (;;) {
      const part: string[] = [];
      for (let size = 0; sealed.length > 0 && size < MESSAGE_BYTES;) {
        const [next = ''] = sealed.splice(0, 1);
        part.push(next);
        size += next.length;
      }
      const last = sealed.length === 0;
      const reply = await this.request(to.holder, { keep: { holders, sealed: part, last, transfer } });
      if (last || reply === null || reply === 'false') return reply;
    }
  }

  private async answer(holder: string, payload: Uint8Array): Promise<void> {
    let reply = '';
    let answer = 'false';
    try {
      const request = JSON.parse(Buffer.from(payload).toString('utf8')) as HolderRequest;
      reply = request.reply;
      if (request.holds) answer = String(this.secrets.of(request.holds) !== undefined);
      else if (request.keep && this.keep) answer = await this.received(request.keep, holder);
      else if (request.complete) answer = String(await this.complete(request.complete, holder));
    } catch (error) {
      this.logger.warn({ error }, 'secrets could not be taken over');
    }
    if (reply) this.bus.announce(`${this.prefix}${reply}`, answer);
  }

  private async received({ holders, sealed, last, transfer }: NonNullable<HolderRequest['keep']>, holder: string) {
    if (transfer === undefined) {
      // An earlier release sends no `complete`.
      this.transfer.adopt(this.keys, sealed, holder);
      if (last) await this.keep?.(holders);
      return 'true';
    }
    const begun = this.staged.get(transfer);
    clearTimeout(begun?.timer);
    const timer = setTimeout(() => this.unstage(transfer), STAGED_MS).unref();
    this.staged.set(transfer, { holders, sealed: [...(begun?.sealed ?? []), ...sealed], timer });
    return STAGED;
  }

  /** All runs, or none. */
  private async complete(transfer: string, holder: string): Promise<boolean> {
    const staged = this.unstage(transfer);
    if (!staged || !this.keep) return false;
    try {
      this.transfer.adopt(this.keys, staged.sealed, holder);
      await this.keep(staged.holders);
      return true;
    } catch (error) {
      this.transfer.forget(staged.holders);
      throw error;
    }
  }

  private unstage(transfer: string): StagedTransfer | undefined {
    const staged = this.staged.get(transfer);
    clearTimeout(staged?.timer);
    this.staged.delete(transfer);
    return staged;
  }

  private request(holder: string, request: Omit<HolderRequest, 'reply'>): Promise<string | null> {
    const reply = randomUUID();
    return new Promise((resolve) => {
      const end = (answer: string | null): void => {
        clearTimeout(timer);
        stop();
        resolve(answer);
      };
      const timer = setTimeout(() => end(null), slowdown.allow(request.holds ? ANSWER_MS : TRANSFER_MS));
      const stop = this.bus.listen(`${this.prefix}${reply}`, (payload) => end(Buffer.from(payload).toString()));
      this.bus.announce(`${this.prefix}${holder}`, JSON.stringify({ reply, ...request } satisfies HolderRequest));
    });
  }
}
