import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

/** A question to a child process and its answer, told apart by their number. */
interface Asked {
  id: number;
  question: unknown;
}

interface Answered {
  id: number;
  answer?: unknown;
  failure?: string;
}

/** A process of its own that answers one question after the other. */
export class Child {
  private asked = 0;

  private constructor(private readonly process: ChildProcess) {}

  /** Starts a compiled module; resolves when it says that it is ready. */
  static async start(module: URL, env: Record<string, string>, limitMs = 30_000): Promise<Child> {
    const child = fork(module, [], { env: { PATH: process.env.PATH ?? '', ...env }, execArgv: execArgvOf(env) });
    const signal = AbortSignal.timeout(limitMs);
    const ended = once(child, 'exit', { signal }).then(() =>
      Promise.reject(new Error(`${module.pathname} ended early`)),
    );
    ended.catch(() => undefined);
    await Promise.race([once(child, 'message', { signal }), ended]);
    return new Child(child);
  }

  get pid(): number {
    return this.process.pid ?? 0;
  }

  /** Asks and waits for the answer, at most `limitMs`. */
  ask<Answer>(question: unknown, limitMs = 120_000): Promise<Answer> {
    const id = ++this.asked;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => settle(() => reject(new Error('a child process did not answer'))), limitMs);
      const heard = (message: Answered): void => {
        if (message.id !== id) return;
        settle(() => (message.failure ? reject(new Error(message.failure)) : resolve(message.answer as Answer)));
      };
      const gone = (): void => settle(() => reject(new Error('a child process is gone')));
      const settle = (then: () => void): void => {
        clearTimeout(timer);
        this.process.off('message', heard).off('exit', gone);
        then();
      };
      this.process.on('message', heard).on('exit', gone);
      this.process.send({ id, question } satisfies Asked);
    });
  }

  async stop(): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    const exit = once(this.process, 'exit');
    this.process.kill('SIGTERM');
    const timer = setTimeout(() => this.process.kill('SIGKILL'), 5000);
    await exit;
    clearTimeout(timer);
  }
}

/** A profile of a process is written where `PROFILE` says. */
const execArgvOf = (env: Record<string, string>): string[] =>
  env.PROFILE ? ['--cpu-prof', `--cpu-prof-dir=${env.PROFILE}`] : [];

/** Says ready, then answers every question of the parent. */
export function answer<Question>(reply: (question: Question) => Promise<unknown>, stop: () => Promise<void>): void {
  process.on('message', ({ id, question }: Asked) => {
    const send = (message: Answered): void => void process.send?.(message);
    reply(question as Question).then(
      (result) => send({ id, answer: result }),
      (error: Error) => send({ id, failure: error.stack ?? error.message }),
    );
  });
  process.once('SIGTERM', () => void stop().finally(() => process.disconnect()));
  process.send?.('ready');
}
