import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ApiError } from '@signalbox/contracts';
import type { SecretBag } from '@signalbox/egress';
import { heldKind } from './held-kind.js';

export interface HeldSecrets {
  bag: SecretBag;
  /** The run itself and each of its background jobs. */
  uses: number;
  /** Its work is claimed under this id. */
  holder: string;
  /** By hash; payloads of callbacks are sealed with these keys. */
  hookKeys: Map<string, string>;
}

/** Of a commit whose reply was lost. */
const DOUBT_MS = 10_000;

const inDoubt = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, DOUBT_MS).unref());

/**
 * The secrets of open runs, in the memory of one process and nowhere else. Work that needs them has the holder id in
 * its kind, so that only this process claims it. A stopping process transfers ids and secrets to another one.
 */
@Injectable()
export class SecretHolder {
  private own: string = randomUUID();
  private readonly held = new Map<string, HeldSecrets>();

  get id(): string {
    return this.own;
  }

  renew(): void {
    this.own = randomUUID();
  }

  /** A child run has the holder of its parent. A call that is sent again leaves what the first one holds. */
  hold(runId: string, bag: SecretBag, holder = this.own): void {
    if (!this.held.has(runId)) this.held.set(runId, { bag, uses: 1, holder, hookKeys: new Map() });
  }

  /** For a run that begins anew: work of its time before may still be about to release what that held. */
  replace(runId: string, bag: SecretBag): void {
    this.forget(runId);
    this.hold(runId, bag);
  }

  adopt(runId: string, held: HeldSecrets): void {
    this.held.set(runId, held);
  }

  of(runId: string): SecretBag | undefined {
    return this.held.get(runId)?.bag;
  }

  heldFor(runId: string): HeldSecrets | undefined {
    return this.held.get(runId);
  }

  runsOf(holders: readonly string[]): [string, HeldSecrets][] {
    return [...this.held].filter(([, { holder }]) => holders.includes(holder));
  }

  keepHookKey(runId: string, hash: string, key: string): void {
    this.held.get(runId)?.hookKeys.set(hash, key);
  }

  hookKeyOf(runId: string, hash: string): string | undefined {
    return this.held.get(runId)?.hookKeys.get(hash);
  }

  /** Adds a user of the secrets; returns the kind of work that only their holder claims. */
  share(runId: string, kind: string): string {
    const held = this.held.get(runId);
    if (held) held.uses += 1;
    return heldKind(kind, held?.holder ?? this.own);
  }

  release(runId: string, held = this.held.get(runId)): void {
    if (held && --held.uses <= 0 && this.held.get(runId) === held) this.held.delete(runId);
  }

  forget(runId: string): void {
    this.held.delete(runId);
  }

  /**
   * For a run whose acceptance failed. Another call may have been accepted under its id, or, while the database is down,
   * this one, so secrets are kept until the run is known not to exist.
   */
  async forgetUnaccepted(runId: string, error: unknown, exists: () => Promise<boolean>): Promise<void> {
    // The commit may still be in progress.
    if (error instanceof ApiError && error.kind === 'unavailable') await inDoubt();
    for (;;) {
      const known = await exists().catch(() => null);
      if (known !== null) return known ? undefined : this.forget(runId);
      await inDoubt();
    }
  }

  ownKind(kind: string): string {
    return heldKind(kind, this.own);
  }
}
