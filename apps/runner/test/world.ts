import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CompiledScript, ScriptEntry, ScriptLanguage } from '@signalbox/contracts';
import { BusClient, BusConnection, busUsers } from '@signalbox/bus';
import { createLogger } from '@signalbox/platform';
import { BusScriptRunner, type ScriptExecution, type ScriptHost, type ScriptResult } from '@signalbox/scripts';
import { type NatsServer, serviceCredentials, startNats } from '@signalbox/servers';
import { ServiceProcess, TEST_MASTER_KEY } from '@signalbox/testing';

/** The user that executes scripts in tests; `workflows` has the same rights on this contract. */
export const TESTER = 'tester';

const passwordOf = (user: string): string => serviceCredentials(TEST_MASTER_KEY, user).natsPassword;

/** A host that records what scripts ask of it. */
export class RecordingHost implements ScriptHost {
  readonly calls: { member: string; args: unknown[] }[] = [];
  readonly logs: string[] = [];
  readonly events: unknown[] = [];

  constructor(private readonly reply: (member: string, args: unknown[]) => unknown = () => null) {}

  call(member: string, args: unknown[]): Promise<unknown> {
    this.calls.push({ member, args });
    return Promise.resolve().then(() => this.reply(member, args));
  }

  log(level: string, message: string): void {
    this.logs.push(`${level} ${message}`);
  }

  emit(event: unknown): void {
    this.events.push(event);
  }
}

/** A call of `execute` with defaults that a test overrides. */
export const executionOf = (script: string, change: Partial<ScriptExecution> = {}): ScriptExecution => ({
  execution_id: '1-1',
  company_id: 1,
  language: 'javascript',
  script,
  entry: 'execute',
  argument: { input: null },
  limits: { timeout_ms: 300_000, memory_mb: 64 },
  depth: 0,
  ...change,
});

/** A bus, a runner with the permissions of production, and a client. */
export class RunnerWorld {
  private constructor(
    readonly nats: NatsServer,
    readonly runner: BusScriptRunner,
    readonly connection: BusConnection,
    readonly process: ServiceProcess,
    private readonly closing: (() => Promise<unknown>)[],
  ) {}

  static async start(settings: Record<string, string> = {}): Promise<RunnerWorld> {
    const directory = await mkdtemp(join(tmpdir(), 'runner-'));
    const users = busUsers().filter(({ user }) => user === 'runner');
    const [{ publish, subscribe }] = users as [(typeof users)[0]];
    const nats = await startNats({
      storeDir: join(directory, 'nats'),
      configFile: join(directory, 'nats.conf'),
      logFile: join(directory, 'nats.log'),
      users: [
        // Callers of the contract are given an inbox each; here the only one is the tester.
        {
          user: 'runner',
          password: passwordOf('runner'),
          permissions: { publish: [...publish, `_INBOX.${TESTER}.runner.>`], subscribe },
        },
        { user: TESTER, password: passwordOf(TESTER), permissions: { publish: ['>'], subscribe: ['>'] } },
      ],
    });
    const urlOf = (user: string): string => {
      const url = new URL(nats.url);
      url.username = user;
      url.password = passwordOf(user);
      return url.href;
    };
    const sizes = {
      SCRIPTS_AT_ONCE: '4',
      PYTHON_SCRIPTS_AT_ONCE: '2',
      SCRIPT_PROCESSES_WARM: '1',
      SCRIPT_CPU_SECONDS: '1',
    };
    const env = { NATS_URL: urlOf('runner'), LOG_LEVEL: 'info', SHUTDOWN_GRACE_SECONDS: '1', ...sizes, ...settings };
    const runner = new ServiceProcess('runner', env, join(directory, 'runner.log'));
    await runner.start();
    const connection = await BusConnection.open(urlOf(TESTER), TESTER, createLogger(TESTER, 'silent'));
    const closing = [
      () => connection.close(),
      () => runner.kill('SIGTERM'),
      () => nats.stop(),
      () => rm(directory, { recursive: true, force: true }),
    ];
    return new RunnerWorld(
      nats,
      new BusScriptRunner(new BusClient(connection), connection),
      connection,
      runner,
      closing,
    );
  }

  /** Compiles scripts of a language, within five minutes. */
  compile(
    language: ScriptLanguage,
    script: string,
    transform_session?: string,
    companyId = 1,
    entry: ScriptEntry = 'execute',
  ): Promise<CompiledScript> {
    return this.runner.compile({ companyId, deadline: Date.now() + 300_000 }, language, script, {
      transform_session,
      entry,
    });
  }

  execute(
    execution: ScriptExecution,
    host: ScriptHost = new RecordingHost(),
    signal: AbortSignal = new AbortController().signal,
  ): Promise<ScriptResult> {
    return this.runner.execute(execution, host, signal);
  }

  async stop(): Promise<void> {
    for (const close of this.closing) await close();
  }
}
