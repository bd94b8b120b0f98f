import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { SecretBag } from '@signalbox/egress';

/** The secrets of one task. */
export interface HeldSecrets {
  bag: SecretBag;
  /** The task itself and each of its background actions. */
  uses: number;
  /** Under which holder id its work is claimed. */
  holder: string;
}

/** The holder id in a kind of work, null when any process may claim it. */
export const holderOf = (workKind: string): string | null => workKind.split('@', 2)[1] ?? null;

/**
 * The secrets of running tasks, in the memory of one process and nowhere else. Work that needs them carries a holder id
 * in its kind, so that only the process that keeps this id claims it. A process that stops hands its ids over to
 * another one, with the secrets.
 */
@Injectable()
export class SecretHolder {
  private own: string = randomUUID();
  private readonly held = new Map<string, HeldSecrets>();

  /** Under this id the process accepts tasks with secrets. */
  get id(): string {
    return this.own;
  }

  /** Accepts under a new id from now on: the old one is handed over. */
  renew(): void {
    this.own = randomUUID();
  }

  /** Holds the secrets of a task; a sub-agent's task has the holder of its parent. */
  hold(taskId: string, bag: SecretBag, holder = this.own): void {
    this.held.set(taskId, { bag, uses: 1, holder });
  }

  /** Holds what another process has held. */
  adopt(taskId: string, held: HeldSecrets): void {
    this.held.set(taskId, held);
  }

  of(taskId: string): SecretBag | undefined {
    return this.held.get(taskId)?.bag;
  }

  /** The tasks whose secrets are held under some holder ids. */
  tasksOf(holders: readonly string[]): [string, HeldSecrets][] {
    return [...this.held].filter(([, { holder }]) => holders.includes(holder));
  }

  /** One more piece of work needs the secrets of the task; returns the kind that only its holder claims. */
  share(taskId: string, kind: string): string {
    const held = this.held.get(taskId);
    if (held) held.uses += 1;
    return `${kind}@${held?.holder ?? this.own}`;
  }

  /** One piece of work needs them no longer; after the last one they are forgotten. */
  release(taskId: string): void {
    const held = this.held.get(taskId);
    if (held && --held.uses <= 0) this.held.delete(taskId);
  }

  forget(taskId: string): void {
    this.held.delete(taskId);
  }

  /** The kind of work that only the process with the present id claims. */
  ownKind(kind: string): string {
    return `${kind}@${this.own}`;
  }
}
