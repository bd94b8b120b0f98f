import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ApiError } from '@signalbox/contracts';
import type { SecretBag } from '@signalbox/egress';
import { heldKind } from './held-kind.js';

export interface HeldSecrets {
  bag: SecretBag;
  /** Number of users: the run itself and each piece of its background work. */
  uses: number;
  /** The holder id under which its work is claimed. */
  holder: string;
  /** Keys of its hooks by their hashes; payloads of callbacks are sealed with them. */
  hookKeys: Map<string, string>;
}

/** How long a commit may take whose reply was lost. */
const DOUBT_MS = 10_000;

/**
 * The secrets of open runs, in the memory of one process and nowhere else. Work that needs them carries a holder id in
 * its kind, so that only the process that keeps this id claims it. A process that stops transfers its ids and secrets
 * to another one.
 */
@Injectable()
export class SecretHolder {
  private own: string = randomUUID();
  private readonly held = new Map<string, HeldSecrets>();

  get id(): string {
    return this.own;
  }

  /** Switches to a new holder id, because the old one is transferred. */
  renew(): void {
    this.own = randomUUID();
  }

  /** Holds the secrets of a run; a child run has the holder of its parent. */
  hold(runId: string, bag: SecretBag, holder = this.own): void {
    this.held.set(runId, { bag, uses: 1, holder, hookKeys: new Map() });
  }

  /** Holds secrets that were transferred from another process. */
  adopt(runId: string, held: HeldSecrets): void {
    this.held.set(runId, held);
  }

  of(runId: string): SecretBag | undefined {
    return this.held.get(runId)?.bag;
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

  /** Adds one user of the run's secrets; returns the kind of work that only their holder claims. */
  share(runId: string, kind: string): string {
    const held = this.held.get(runId);
    if (held) held.uses += 1;
    return heldKind(kind, held?.holder ?? this.own);
  }

  /** Removes one user of the run's secrets; they are dropped with the last one. */
  release(runId: string): void {
    const held = this.held.get(runId);
    if (held && --held.uses <= 0) this.held.delete(runId);
  }

  forget(runId: string): void {
    this.held.delete(runId);
  }

  /**
   * Drops the secrets of a run whose acceptance has failed. While the database is away it is not known whether the
   * acceptance was committed, so they stay until the run is known not to exist.
   */
  async forgetUnaccepted(runId: string, error: unknown, exists: () => Promise<boolean>): Promise<void> {
    if (!(error instanceof ApiError) || error.kind !== 'unavailable') return this.forget(runId);
    for (;;) {
      // The commit may still be under way.
      await new Promise((resolve) => setTimeout(resolve, DOUBT_MS).unref());
      const known = await exists().catch(() => null);
      if (known === null) continue;
      return known ? undefined : this.forget(runId);
    }
  }

  /** The kind of work that only this process claims. */
  ownKind(kind: string): string {
    return heldKind(kind, this.own);
  }
}
