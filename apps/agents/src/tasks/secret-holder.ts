import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { SecretBag } from '@signalbox/egress';

interface Held {
  bag: SecretBag;
  /** The task itself and each of its background actions. */
  uses: number;
}

/**
 * The secrets of running tasks, in the memory of the process that took the invocation and nowhere else. Work that
 * needs them carries the id of this process in its kind, so that nobody else claims it.
 */
@Injectable()
export class SecretHolder {
  readonly id = randomUUID();
  private readonly held = new Map<string, Held>();

  hold(taskId: string, bag: SecretBag): void {
    this.held.set(taskId, { bag, uses: 1 });
  }

  of(taskId: string): SecretBag | undefined {
    return this.held.get(taskId)?.bag;
  }

  /** One more piece of work needs the secrets of the task. */
  share(taskId: string): void {
    const held = this.held.get(taskId);
    if (held) held.uses += 1;
  }

  /** One piece of work needs them no longer; after the last one they are forgotten. */
  release(taskId: string): void {
    const held = this.held.get(taskId);
    if (held && --held.uses <= 0) this.held.delete(taskId);
  }

  forget(taskId: string): void {
    this.held.delete(taskId);
  }

  /** The kind of work that only this process may claim. */
  ownKind(kind: string): string {
    return `${kind}@${this.id}`;
  }
}
