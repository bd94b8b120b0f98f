import type { OnApplicationShutdown, OnModuleInit } from '@nestjs/common';
import { BusConnection, Serves } from '@signalbox/bus';
import {
  ApiError,
  type CallTo,
  Chunks,
  type CompiledScript,
  type Handlers,
  type LanguageSupport,
  scripts,
} from '@signalbox/contracts';
import { GracefulStop } from '@signalbox/platform';
import { REPORT_MS, type ScriptEnd } from '@signalbox/scripts';
import { type ChildKind, COMPILING, PoolSizes } from '../pool/index.js';
import { compileIn } from './compilation.js';
import { Execution, type ExecutionInput } from './execution.js';
import { HostReplies } from './host-replies.js';
import { kindOf, supportedLanguages } from './languages.js';
import { scriptExecutions } from './script-metrics.js';
import { ScriptPools } from './script-pools.js';

type C = typeof scripts;

const MIB = 1024 * 1024;

@Serves(scripts)
export class ScriptHandlers implements Handlers<C>, OnModuleInit, OnApplicationShutdown {
  private readonly open = new Set<Execution>();
  private readonly languages = supportedLanguages();

  constructor(
    private readonly pools: ScriptPools,
    private readonly replies: HostReplies,
    private readonly sizes: PoolSizes,
    private readonly connection: BusConnection,
    private readonly stop: GracefulStop,
  ) {}

  onModuleInit(): void {
    // Lines and replies may be lost with a connection, and an execution that misses one would wait for ever.
    this.connection.onReconnect(() => this.abortAll('the connection of the runner was interrupted'));
    this.stop.graceOver.addEventListener('abort', () => this.abortAll('the runner stopped'));
  }

  onApplicationShutdown(): void {
    this.abortAll('the runner stopped');
  }

  async compileScript({ input, caller }: CallTo<C, 'compileScript'>): Promise<CompiledScript> {
    this.requireLanguage(input.language);
    const bytes = input.script.length + (input.transform_session?.length ?? 0);
    const kind = kindOf(input.language);
    // A runner with less compiles alone.
    const memoryMb = Math.min(this.sizes[kind].compilationMb, this.sizes.memoryMb);
    const admitted = { company: caller.companyId, depth: COMPILING, memoryMb, bytes };
    const child = await this.pools.acquire(kind, admitted, caller.deadline, this.stop.graceOver);
    const { compiled, isReusable } = await compileIn(child, input, caller.deadline);
    this.pools.release(child, admitted, { isReusable, executedScript: false });
    if (compiled instanceof ApiError) throw compiled;
    return compiled;
  }

  async executeScript({ input, caller, signal }: CallTo<C, 'executeScript'>): Promise<Chunks> {
    this.requireLanguage(input.language);
    const kind = kindOf(input.language);
    const admitted = { company: caller.companyId, depth: input.depth, ...this.needsOf(kind, input) };
    const left = signal ?? new AbortController().signal;
    // One that begins later would run, and count as lost.
    const latest = caller.deadline - input.limits.timeout_ms - REPORT_MS;
    const child = await this.pools.acquire(kind, admitted, latest, left);
    const abort = (): void => execution.abort('the caller disconnected');
    const ended = (result: ScriptEnd, isReusable: boolean): void => {
      left.removeEventListener('abort', abort);
      this.open.delete(execution);
      this.pools.release(child, admitted, { isReusable, executedScript: true });
      scriptExecutions.inc({ language: input.language, outcome: outcomeOf(result) });
    };
    const execution = new Execution(child, input, this.limitsOf(input), this.replies, ended);
    this.open.add(execution);
    left.addEventListener('abort', abort, { once: true });
    if (left.aborted) abort();
    return new Chunks(execution);
  }

  async listLanguages(): Promise<LanguageSupport[]> {
    return Promise.resolve(this.languages);
  }

  /** Refuses a script that a runner of this size could never run. */
  private needsOf(kind: ChildKind, { limits, script, argument }: ExecutionInput) {
    const memoryMb = limits.memory_mb + this.sizes[kind].processMb;
    const { memoryMb: totalMb } = this.sizes;
    if (memoryMb > totalMb)
      throw new ApiError(
        'refused',
        `a script with ${limits.memory_mb} MB of memory needs ${memoryMb} MB; a runner has ${totalMb} MB for scripts`,
      );
    return { memoryMb, bytes: script.length + argument.length };
  }

  private limitsOf({ language, limits }: ExecutionInput) {
    const rssBytes = (limits.memory_mb + this.sizes[kindOf(language)].aroundScriptMb) * MIB;
    return { wallMs: limits.timeout_ms, cpuMs: this.sizes.cpuMs, rssBytes, yields: true };
  }

  private requireLanguage(language: string): void {
    const support = this.languages.find((each) => each.language === language);
    if (!support?.available) throw new ApiError('refused', `this platform does not run ${language} scripts`);
  }

  private abortAll(message: string): void {
    for (const execution of [...this.open]) execution.abort(message);
  }
}

function outcomeOf(result: ScriptEnd): string {
  return result.status === 'failed' && result.error_code === 'sandbox' ? 'sandbox' : result.status;
}
