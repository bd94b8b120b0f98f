import { setImmediate } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { serviceCaller } from '@signalbox/bus';
import { MAX_READ_SOURCES, type SourceType } from '@signalbox/contracts';
import { LOGGER, type Logger } from '@signalbox/platform';
import { Judge, type Judgement, runOutcome, SourceReader } from '../judging/index.js';
import type { NewRun } from './new-runs.js';

/** How long the service that has the sources is waited for. */
const READ_MS = 3000;
/** How long the conditions of one batch may take; companies share the loop of the consumer. */
const JUDGING_MS = 200;
/** How long the event loop is held. */
const TURN_MS = 20;
/** Characters of the outputs and traces of one transaction. */
const MAX_STORED = 4_000_000;

/**
 * Judges runs of the runner `direct` before the transaction that inserts them: they are inserted with their outcome, and
 * need no job. What cannot be read or judged at once is left to a job, which has the time and the attempts for it.
 */
@Injectable()
export class DirectJudgements {
  constructor(
    private readonly sources: SourceReader,
    private readonly judge: Judge,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Gives those of the runs their judgement that can be judged now. */
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
        // Large payloads: a reply has a bound, and the batch has one reply of them.
        if (payloads.length < Math.min(direct.size, MAX_READ_SOURCES)) return;
      }
    } catch (error) {
      this.logger.warn({ error, company_id: companyId, runs: runs.length }, 'sources are left to jobs');
    } finally {
      batch.end();
    }
  }
}

/** The runs that are judged without a model or a workflow. */
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

/** The judgements of one batch within their time and size. */
class DirectBatch {
  private judgingMs = 0;
  /** When the judgement in progress began, if it may take long. */
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

  /** Whether the batch may judge no more. */
  get isFull(): boolean {
    return this.isLate || this.judgingMs >= JUDGING_MS || this.stored >= MAX_STORED;
  }

  get isTurnOver(): boolean {
    return this.sinceTurn > TURN_MS;
  }

  async nextTurn(): Promise<void> {
    this.sinceTurn = await setImmediate(0);
  }

  /** Judges a run at once; false when that is not possible. */
  judgeInPlace(run: NewRun, payload: object): boolean {
    const { config } = run.target;
    const began = performance.now();
    const judgement = config && this.judges.judgeInPlace({ config, payload });
    if (judgement) this.record(run, judgement);
    this.took(performance.now() - began);
    return judgement !== null;
  }

  /** Judges a run, whose conditions may need a thread, in the time that is left. */
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

  /** Stops the clock of the batch. */
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
