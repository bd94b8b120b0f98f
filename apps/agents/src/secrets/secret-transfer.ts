import { Injectable } from '@nestjs/common';
import { SecretBag } from '@signalbox/egress';
import { Callbacks } from '../hooks/callbacks.js';
import { SuspendedTasks } from '../tasks/loop/suspended-tasks.js';
import { SecretHolder } from './secret-holder.js';
import { sealFor, type SealingKeys } from './sealing.js';

/** What a process has to know to continue a task with secrets. */
interface TransferredTask {
  id: string;
  holder: string;
  uses: number;
  /** The company, when the task is suspended. */
  company_id: number | null;
  secrets: Record<string, string>;
  /** Keys of its hooks, by their hashes. */
  hook_keys: Record<string, string>;
}

/** Secrets of tasks on their way from the memory of one process to that of another. */
@Injectable()
export class SecretTransfer {
  constructor(
    private readonly secrets: SecretHolder,
    private readonly callbacks: Callbacks,
    private readonly resting: SuspendedTasks,
  ) {}

  /** The tasks of some holder ids, each sealed for the process with the public key. */
  sealed(holders: readonly string[], publicKey: string, context: string): string[] {
    return this.secrets.tasksOf(holders).map(([id, { bag, uses, holder }]) =>
      bag.sealed((secrets) => {
        const hook_keys = this.callbacks.keysOf(id);
        const task: TransferredTask = { id, holder, uses, company_id: this.resting.companyOf(id), secrets, hook_keys };
        return sealFor(publicKey, JSON.stringify(task), context);
      }),
    );
  }

  /** Holds what was sealed for this process. */
  adopt(keys: SealingKeys, sealed: readonly string[], context: string): void {
    for (const text of sealed) {
      const task = JSON.parse(keys.open(text, context)) as TransferredTask;
      this.secrets.adopt(task.id, { bag: new SecretBag(task.secrets), uses: task.uses, holder: task.holder });
      this.callbacks.adopt(task.id, task.hook_keys);
      if (task.company_id !== null) this.resting.rest(task.company_id, task.id);
    }
  }

  /** Forgets the tasks of some holder ids: another process holds them. */
  forget(holders: readonly string[]): void {
    for (const [id] of this.secrets.tasksOf(holders)) {
      this.resting.wake(id);
      this.secrets.forget(id);
      this.callbacks.forget(id);
    }
  }
}
