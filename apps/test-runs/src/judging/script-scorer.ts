import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ApiError, type Caller, type CompiledScript, refused, type ScriptLanguage } from '@signalbox/contracts';
import { retriedCall, storable } from '@signalbox/runs';
import {
  type ScriptExecution,
  type ScriptHost,
  ScriptHostError,
  type ScriptLogLevel,
  type ScriptResult,
  ScriptRunner,
} from '@signalbox/scripts';
import { JudgeFailed } from './judge-failed.js';
import type { ScorerItem } from './scorer-item.js';
import { type Scored, scoredBy } from './scorer-return.js';

/** All scripts use one size, so that a ready process of that size is found. */
const MEMORY_MB = 128;
const TIMEOUT_MS = 5000;
const MAX_LOG_LINES = 100;
const MAX_LOG_LINE = 2000;
/** How often the process may be lost for a cause that may be the script. */
const MAX_LOSSES = 3;

export interface Scorer {
  language?: ScriptLanguage;
  script?: string;
  timeout_ms?: number;
}

export interface LogLine {
  level: ScriptLogLevel;
  message: string;
}

/** At the runner, without host functions, secrets and network. */
@Injectable()
export class ScriptScorer {
  constructor(private readonly runner: ScriptRunner) {}

  compile(caller: Pick<Caller, 'companyId' | 'deadline'>, language: ScriptLanguage, script: string) {
    if (script.trim() === '') return Promise.resolve<CompiledScript>(EMPTY);
    return this.runner.compile(caller, language, script, { entry: 'score' });
  }

  /** 422 naming each problem with its line and column. */
  async require(caller: Pick<Caller, 'companyId' | 'deadline'>, { language, script = '' }: Scorer): Promise<void> {
    const { problems } = await this.compile(caller, language ?? 'javascript', script);
    if (problems.length === 0) return;
    const details = problems.slice(0, 50).map(({ line, column, message }) => ({
      field: 'config.script',
      message:
        line === undefined ? message : `line ${line}${column === undefined ? '' : `, column ${column}`}: ${message}`,
    }));
    throw refused(`the script cannot run: ${details[0]?.message ?? ''}`, details);
  }

  /**
   * Rejects with JudgeFailed when the script fails or returns something else than a score, and with `unavailable` while
   * no runner can execute it.
   */
  async score(
    { language = 'javascript', script = '', timeout_ms = TIMEOUT_MS }: Scorer,
    item: ScorerItem,
    {
      companyId,
      threshold,
      signal,
      log,
    }: { companyId: number; threshold: number; signal: AbortSignal; log: LogLine[] },
  ): Promise<Scored> {
    const execution = {
      company_id: companyId,
      language,
      script,
      entry: 'score',
      argument: item,
      limits: { timeout_ms, memory_mb: MEMORY_MB },
      depth: 0,
    } as const;
    const result = await this.execute(execution, log, signal);
    if (result.status === 'timed_out') throw new JudgeFailed(result.message, 'timeout');
    if (result.status === 'failed') {
      const { line, message } = result;
      const where = line === undefined ? '' : ` (line ${line})`;
      throw new JudgeFailed(storable(`the script failed: ${message}${where}`), 'sandbox');
    }
    const scored = scoredBy(result.output, threshold);
    if ('problem' in scored) throw new JudgeFailed(storable(scored.problem));
    return { ...scored, description: storable(scored.description) };
  }

  /** A lost execution begins again. */
  private async execute(
    execution: Omit<ScriptExecution, 'execution_id'>,
    log: LogLine[],
    signal: AbortSignal,
  ): Promise<Exclude<ScriptResult, { status: 'lost' }>> {
    let losses = 0;
    return retriedCall(execution.company_id, signal, async () => {
      log.length = 0;
      const call = { ...execution, execution_id: `criterion/${randomUUID()}` };
      const result = await this.runner.execute(call, new ScorerHost(log), signal);
      if (result.status !== 'lost') return result;
      signal.throwIfAborted();
      if (!result.is_outage && ++losses >= MAX_LOSSES)
        throw new JudgeFailed(`the script has lost its process ${losses} times: ${result.message}`, 'sandbox');
      throw new ApiError('unavailable', `the execution was lost: ${result.message}`);
    });
  }
}

const EMPTY: CompiledScript = { problems: [{ message: 'the script is empty' }], has_transform_session: false };

class ScorerHost implements ScriptHost {
  constructor(private readonly lines: LogLine[]) {}

  call(): Promise<never> {
    return Promise.reject(new ScriptHostError('TypeError', 'the script of a criterion has no host'));
  }

  log(level: ScriptLogLevel, message: string): void {
    if (this.lines.length >= MAX_LOG_LINES) return;
    const shown = message.length > MAX_LOG_LINE ? `${message.slice(0, MAX_LOG_LINE)}…` : message;
    this.lines.push({ level, message: shown.toWellFormed() });
  }

  emit(): void {
    return;
  }
}
