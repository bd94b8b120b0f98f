import { Inject, Injectable } from '@nestjs/common';
import { Callbacks } from '../../hooks/callbacks.js';
import { SecretHolder } from '../../secrets/secret-holder.js';
import { TaskEndings } from '../task-endings.repository.js';
import { TaskNotifications } from '../streaming/task-notifications.js';

interface Resting {
  companyId: number;
  /** Stops listening for its end. */
  stop: () => void;
}

/** Tasks that rest while their secrets are in this process: these are kept until the task goes on, or ends at rest. */
@Injectable()
export class SuspendedTasks {
  private readonly resting = new Map<string, Resting>();

  constructor(
    private readonly secrets: SecretHolder,
    @Inject(Callbacks) private readonly callbacks: Pick<Callbacks, 'forget'>,
    @Inject(TaskNotifications) private readonly news: Pick<TaskNotifications, 'onEnd'>,
    @Inject(TaskEndings) private readonly endings: Pick<TaskEndings, 'endedAmong'>,
  ) {}

  /** The task does nothing until something else makes its work due again. */
  rest(companyId: number, taskId: string): void {
    if (!this.secrets.of(taskId) || this.resting.has(taskId)) return;
    this.resting.set(taskId, { companyId, stop: this.news.onEnd(taskId, () => this.over(taskId)) });
  }

  /** The company of a task that is suspended here, else null. */
  companyOf(taskId: string): number | null {
    return this.resting.get(taskId)?.companyId ?? null;
  }

  wake(taskId: string): void {
    this.resting.get(taskId)?.stop();
    this.resting.delete(taskId);
  }

  /** One piece of the task's work is done. */
  release(taskId: string): void {
    this.secrets.release(taskId);
    if (!this.secrets.of(taskId)) this.callbacks.forget(taskId);
  }

  /** Looks for tasks that have ended although no news of it came. */
  async sweep(): Promise<void> {
    const companies = new Set([...this.resting.values()].map(({ companyId }) => companyId));
    for (const companyId of companies) {
      const ids = [...this.resting].filter(([, task]) => task.companyId === companyId).map(([taskId]) => taskId);
      const ended = await this.endings.endedAmong(companyId, ids);
      for (const taskId of ended) if (this.resting.has(taskId)) this.over(taskId);
    }
  }

  private over(taskId: string): void {
    this.wake(taskId);
    this.release(taskId);
  }
}
