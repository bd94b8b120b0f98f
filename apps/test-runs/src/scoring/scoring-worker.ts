import { Injectable } from '@nestjs/common';
import { TryLater } from '@signalbox/bus';
import type { CriteriaMethod } from '@signalbox/contracts';
import { Database } from '@signalbox/database';
import type { Job } from '@signalbox/platform';
import type { RunJobs } from '@signalbox/runs';
import { type LockedTestRun, RunProgressEvents, TestRunRows } from '../run-records/index.js';
import { type ItemPlace, type NewScore, RunScores, type ScorableItem } from './run-scores.repository.js';
import { ItemScoring, type ScoringRules } from './item-scoring.js';
import { SCORE_WORK, type Scoring, ScoringChanged, Scorings } from './scorings.repository.js';
import { SLICE } from './run-scores.sql.js';

/** Concurrently; with slow methods, these are also written together. */
const JUDGED_AT_ONCE = 16;
const SLOW: ReadonlySet<CriteriaMethod> = new Set<CriteriaMethod>(['LLM', 'SCRIPT', 'STEPS']);
/** How long a scoring keeps its worker slot while other jobs wait. */
const TURN_MS = 5000;
const EMIT_MS = 1000;

interface Turn {
  job: Job;
  signal: AbortSignal;
  stopping: AbortSignal;
  until: number;
}

interface Groups {
  rules: ScoringRules;
  left: ItemPlace[];
  size: number;
}

/**
 * Group by group: a worker that continues a scoring finds the scores of all groups before. A scoring gives its slot
 * back after some seconds, and ends at once with its lease.
 */
@Injectable()
export class ScoringWorker {
  constructor(
    private readonly db: Database,
    private readonly scorings: Scorings,
    private readonly scores: RunScores,
    private readonly items: ItemScoring,
    private readonly rows: TestRunRows,
    private readonly progress: RunProgressEvents,
  ) {}

  get jobs(): RunJobs {
    return {
      work: SCORE_WORK,
      held: false,
      run: (job, signal, stopping) => this.run({ job, signal, stopping, until: Date.now() + TURN_MS }),
      onExhausted: async (job) => {
        const scoring = await this.load(job);
        if (scoring?.status === 'SCORING') await this.scorings.fail(job, scoring);
      },
    };
  }

  private async run(turn: Turn): Promise<void> {
    for (;;) {
      const scoring = await this.load(turn.job);
      if (scoring?.status !== 'SCORING') return;
      try {
        await this.scoreItems(turn, scoring);
        if (await this.scorings.finish(turn.job, scoring)) return;
      } catch (error) {
        // The scoring began anew: the next turn of the loop reads it.
        if (!(error instanceof ScoringChanged)) throw error;
      }
    }
  }

  private load({ companyId, ref }: Job): Promise<Scoring | null> {
    return this.scorings.load(companyId, Number(ref.split('/')[1]));
  }

  private async scoreItems(turn: Turn, scoring: Scoring): Promise<void> {
    const { companyId } = turn.job;
    const run = await this.rows.load(companyId, scoring.run_id);
    if (!run) return;
    const criteria = scoring.criteria_ids.length > 0 ? scoring.criteria : null;
    const context = { companyId, originId: String(run.no), signal: turn.signal };
    const rules = await this.items.rules(criteria, context);
    const left = await this.scores.scorable(companyId, scoring.run_id, scoring.after_position);
    const size = scoring.criteria.some(({ method }) => SLOW.has(method)) ? JUDGED_AT_ONCE : SLICE;
    const emitting = setInterval(() => void this.emit(turn.job, scoring, run), EMIT_MS);
    try {
      await this.scoreGroups(turn, scoring, { rules, left, size });
    } finally {
      clearInterval(emitting);
    }
  }

  /** A failed emission is made up for by the next one. */
  private async emit(job: Job, scoring: Scoring, run: LockedTestRun): Promise<void> {
    try {
      await this.scorings.stream(job, scoring);
      if (scoring.is_streamed) await this.progress.emitEnded(job, run);
    } catch {
      return;
    }
  }

  private async scoreGroups(turn: Turn, scoring: Scoring, { rules, left, size }: Groups): Promise<void> {
    const { companyId } = turn.job;
    let written = Promise.resolve();
    for (let items = await this.slice(companyId, scoring, left); items.length > 0;) {
      // The database reads the next slice while this one is judged.
      const following = this.slice(companyId, scoring, left);
      following.catch(() => undefined);
      for (let at = 0; at < items.length; at += size) {
        const scored = await this.scored(items.slice(at, at + size), rules);
        await written;
        written = this.write(turn.job, scoring, scored);
        written.catch(() => undefined);
        if (turn.stopping.aborted || Date.now() >= turn.until) await this.yieldSlot(written);
      }
      items = await following;
    }
    await written;
  }

  private async yieldSlot(written: Promise<void>): Promise<never> {
    await written;
    throw new TryLater(0);
  }

  private async scored(items: readonly ScorableItem[], rules: ScoringRules): Promise<NewScore[]> {
    const scored: NewScore[] = [];
    for (let at = 0; at < items.length; at += JUDGED_AT_ONCE) {
      rules.context.signal.throwIfAborted();
      scored.push(...(await this.items.score(items.slice(at, at + JUDGED_AT_ONCE), rules)));
    }
    return scored;
  }

  private write(job: Job, scoring: Scoring, scored: readonly NewScore[]): Promise<void> {
    const position = Math.max(...scored.map(({ item }) => item.position));
    const scoringId = scoring.criteria_key === '' ? null : scoring.id;
    return this.db.withCompany({ companyId: job.companyId }, async (tx) => {
      await tx.requireFence(job);
      await tx.progressed(job);
      await this.scorings.advance(tx, scoring, position, scored.length);
      await this.scores.write(tx, scoring.run_id, scoringId, scored);
    });
  }

  /** Removes them from `left`; items that have lost their output meanwhile are left out. */
  private async slice(companyId: number, { id, criteria_key }: Scoring, left: ItemPlace[]): Promise<ScorableItem[]> {
    while (left.length > 0) {
      const ids = left.slice(0, SLICE).map((place) => place.id);
      const items = await this.scores.slice(companyId, criteria_key === '' ? null : id, ids);
      const last = items.at(-1);
      left.splice(0, last ? left.findIndex((place) => place.id === last.id) + 1 : SLICE);
      if (last) return items;
    }
    return [];
  }
}
