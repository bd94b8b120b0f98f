import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { timeScale } from '@signalbox/testing';
import type { ChildReply, ChildRequest } from './answer.js';

/** A child process that serves one request after the other. */
export class Child {
  private lastId = 0;

  private constructor(private readonly process: ChildProcess) {}

  /** Starts a compiled module; resolves when it reports `ready`, within `limitMs` of a quiet machine. */
  static async start(module: URL, env: Record<string, string>, limitMs = 30_000): Promise<Child> {
    const child = fork(module, [], { env: { PATH: process.env.PATH ?? '', ...env }, execArgv: execArgvOf(env) });
    const signal = AbortSignal.timeout(Math.ceil(limitMs * timeScale()));
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

  /** Sends a request and waits for the reply, at most `limitMs` of a quiet machine. */
  ask<Answer>(question: unknown, limitMs = 120_000): Promise<Answer> {
    const id = ++this.lastId;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => settle(() => reject(new Error('a child process did not reply'))),
        limitMs * timeScale(),
      );
      const onMessage = (message: ChildReply): void => {
        if (message.id !== id) return;
        settle(() => (message.failure ? reject(new Error(message.failure)) : resolve(message.answer as Answer)));
      };
      const onExit = (): void => settle(() => reject(new Error('a child process has exited')));
      const settle = (then: () => void): void => {
        clearTimeout(timer);
        this.process.off('message', onMessage).off('exit', onExit);
        then();
      };
      this.process.on('message', onMessage).on('exit', onExit);
      this.process.send({ id, question } satisfies ChildRequest);
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

/** A profile of a process is written where `PROFILE` description. */
const execArgvOf = (env: Record<string, string>): string[] =>
  env.PROFILE ? ['--cpu-prof', `--cpu-prof-dir=${env.PROFILE}`] : [];
