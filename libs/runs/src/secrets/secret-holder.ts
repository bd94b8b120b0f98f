import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { SecretBag } from '@signalbox/egress';

/** What a process holds of one run with secrets. */
export interface HeldSecrets {
  bag: SecretBag;
  /** The run itself and each piece of its work that continues without it. */
  uses: number;
  /** Under which holder id its work is claimed. */
  holder: string;
  /** Keys of its hooks, by their hashes: what a callback brings is sealed with them. */
  hookKeys: Map<string, string>;
}

/** The holder id in a kind of work, null when any process may claim it. */
export const holderOf = (workKind: string): string | null => workKind.split('@', 2)[1] ?? null;

/**
 * The secrets of open runs, in the memory of one process and nowhere else. Work that needs them carries a holder id in
 * its kind, so that only the process that keeps this id claims it. A process that stops hands its ids over to another
 * one, with the secrets.
 */
@Injectable()
export class SecretHolder {
  private own: string = randomUUID();
  private readonly held = new Map<string, HeldSecrets>();

  /** Under this id the process accepts runs with secrets. */
  get id(): string {
    return this.own;
  }

  /** Accepts under a new id from now on: the old one is handed over. */
  renew(): void {
    this.own = randomUUID();
  }

  /** Holds the secrets of a run; one that another run starts has the holder of that one. */
  hold(runId: string, bag: SecretBag, holder = this.own): void {
    this.held.set(runId, { bag, uses: 1, holder, hookKeys: new Map() });
  }

  /** Holds what another process has held. */
  adopt(runId: string, held: HeldSecrets): void {
    this.held.set(runId, held);
  }

  of(runId: string): SecretBag | undefined {
    return this.held.get(runId)?.bag;
  }

  /** The runs whose secrets are held under some holder ids. */
  runsOf(holders: readonly string[]): [string, HeldSecrets][] {
    return [...this.held].filter(([, { holder }]) => holders.includes(holder));
  }

  /** Keeps the key of a hook of a run with secrets. */
  keepHookKey(runId: string, hash: string, key: string): void {
    this.held.get(runId)?.hookKeys.set(hash, key);
  }

  hookKeyOf(runId: string, hash: string): string | undefined {
    return this.held.get(runId)?.hookKeys.get(hash);
  }

  /** One more piece of work needs the secrets of the run; returns the kind that only its holder claims. */
  share(runId: string, kind: string): string {
    const held = this.held.get(runId);
    if (held) held.uses += 1;
    return `${kind}@${held?.holder ?? this.own}`;
  }

  /** One piece of work needs them no longer; after the last one they are forgotten. */
  release(runId: string): void {
    const held = this.held.get(runId);
    if (held && --held.uses <= 0) this.held.delete(runId);
  }

  forget(runId: string): void {
    this.held.delete(runId);
  }

  /** The kind of work that only the process with the present id claims. */
  ownKind(kind: string): string {
    return `${kind}@${this.own}`;
  }
}
