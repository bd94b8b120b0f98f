import { setImmediate } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { serviceCaller } from '@signalbox/bus';
import { MAX_READ_SOURCES, type SourceType } from '@signalbox/contracts';
import { LOGGER, type Logger } from '@signalbox/platform';
import { Judge, type Judgement, runOutcome, SourceReader } from '../judging/index.js';
import type { NewRun } from './new-runs.js';

/** Timeout of the service that has the sources. */
const READ_MS = 3000;
/** Per batch: all companies share the event loop of the consumer. */
const JUDGING_MS = 200;
/** How long the event loop may be held. */
const TURN_MS = 20;
/** Characters of the outputs and traces of one transaction. */
const MAX_STORED = 4_000_000;

/**
 * Judges runs of the runner `direct` before the transaction that inserts them, so that they need no job. What cannot be
 * read or judged quickly is left to a job, which has more time and attempts.
 */
@Injectable()
export class DirectJudgements {
  constructor(
    private readonly sources: SourceReader,
    private readonly judge: Judge,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Sets the outcome of the runs that can be judged now. */
  async add(companyId: number, type: SourceType, runs: readonly NewRun[]): Promise<void> {
    const direct = directBySource(runs);
    if (direct.size === 0) return;
    const batch = new DirectBatch(companyId, this.judge);
    try {
      const caller = serviceCaller(companyId, Date.now() + READ_MS);
      for await (const payloads of this.sources.read(type, [...direct.keys()], caller)) {
        for (const { source_id, payload } of payloads)
          for (const run of direct.get(source_id) ?? []) {
            if (!batch.judgeInPlace(run, payload)) await batch.judge(run, payload);
            if (batch.isTurnOver) await batch.nextTurn();
            if (batch.isFull) return;
          }
        // The payloads are large: replies have a maximum size, and a batch reads only one reply of them.
        if (payloads.length < Math.min(direct.size, MAX_READ_SOURCES)) return;
      }
    } catch (error) {
      this.logger.warn({ error, company_id: companyId, runs: runs.length }, 'sources are left to jobs');
    } finally {
      batch.end();
    }
  }
}

function directBySource(runs: readonly NewRun[]): Map<string, NewRun[]> {
  const direct = new Map<string, NewRun[]>();
  for (const run of runs) {
    if (!run.target.config) continue;
    const others = direct.get(run.sourceId);
    if (others) others.push(run);
    else direct.set(run.sourceId, [run]);
  }
  return direct;
}

class DirectBatch {
  private judgingMs = 0;
  /** Start of a judgement that may take long; NaN while there is none. */
  private began = NaN;
  private isLate = false;
  private sinceTurn = 0;
  private stored = 0;
  private timer: NodeJS.Timeout | undefined;
  private readonly late: Promise<null>;

  constructor(
    private readonly companyId: number,
    private readonly judges: Judge,
  ) {
    this.late = new Promise((resolve) => {
      this.timer = setInterval(() => {
        if (this.judgingMs + performance.now() - this.began > JUDGING_MS) resolve(null);
      }, TURN_MS);
    });
  }

  get isFull(): boolean {
    return this.isLate || this.judgingMs >= JUDGING_MS || this.stored >= MAX_STORED;
  }

  get isTurnOver(): boolean {
    return this.sinceTurn > TURN_MS;
  }

  async nextTurn(): Promise<void> {
    this.sinceTurn = await setImmediate(0);
  }

  /** Judges without waiting; false when that is not possible. */
  judgeInPlace(run: NewRun, payload: object): boolean {
    const { config } = run.target;
    const began = performance.now();
    const judgement = config && this.judges.judgeInPlace({ config, payload });
    if (judgement) this.record(run, judgement);
    this.took(performance.now() - began);
    return judgement !== null;
  }

  /** Judges conditions that may need a thread, within the remaining time. */
  async judge(run: NewRun, payload: object): Promise<void> {
    const { config } = run.target;
    if (!config) return;
    this.began = performance.now();
    const task = { companyId: this.companyId, config, payload, runId: null };
    const judgement = await Promise.race([this.judges.judge(task), this.late]);
    this.isLate = judgement === null;
    if (judgement) this.record(run, judgement);
    this.took(performance.now() - this.began);
    this.began = NaN;
  }

  end(): void {
    clearInterval(this.timer);
  }

  private record(run: NewRun, judgement: Judgement): void {
    if (judgement.failure?.repeatable) return;
    run.outcome = runOutcome(judgement);
    this.stored += run.outcome.runner_output.length + run.outcome.resolution_trace.length;
  }

  private took(ms: number): void {
    this.judgingMs += ms;
    this.sinceTurn += ms;
  }
}
