import { Injectable } from '@nestjs/common';
import type { FailureClass, SourceRef } from '@signalbox/contracts';
import { Database, type Tx } from '@signalbox/database';
import type { ItemScoreState, Output, ScoredItem } from '../judging/index.js';
import { SCORABLE_ITEMS, SCORES_BY_HASH, SLICE, WRITE_SCORES, ITEMS_TO_SCORE } from './run-scores.sql.js';

export interface StoredScore extends ItemScoreState {
  attempt: number;
  /** Hash of what it follows from; null for one of an earlier release. */
  judged_sha256: string | null;
  /** Null unless scripts have seen the `meta` of the item. */
  meta_md5: string | null;
}

export interface ScorableItem {
  id: number;
  position: number;
  attempts: number;
  adapted_input: unknown;
  baseline: Output | null;
  sub: { id: number; expected_output: Output } | null;
  test_set_item_id: number;
  /** The current `meta` of the item of the set. */
  meta: Record<string, unknown>;
  meta_md5: string;
  repeats: {
    actual_output: Output | null;
    failure_class: FailureClass | null;
    duration_ms: number;
    cost: number | null;
    source_ref: SourceRef | null;
    completed_at: number;
  }[];
  score: StoredScore | null;
}

export interface NewScore extends ScoredItem {
  item: ScorableItem;
  judged_sha256: string;
  meta_md5: string | null;
  /** False when it is the score that the item has. */
  isNew: boolean;
}

export interface ItemPlace {
  id: number;
  position: number;
}

/** Null for the scores that decide about the items, else those of another scoring. */
type ScoringId = number | null;

/**
 * A score has the hash of what it follows from, so scoring again without a change judges nothing and writes no new one.
 *
 * SQL: items are read in slices bounded by rows and bytes, and scores are written in bulk.
 */
@Injectable()
export class RunScores {
  constructor(private readonly db: Database) {}

  scorable(companyId: number, runId: string, after: number): Promise<ItemPlace[]> {
    return this.db.select<ItemPlace>(companyId, SCORABLE_ITEMS, [runId, after]);
  }

  /** As many as fit a slice; found by id, or each slice would sort all the items that follow. */
  slice(companyId: number, scoringId: ScoringId, ids: readonly number[]): Promise<ScorableItem[]> {
    return this.db.select<ScorableItem>(companyId, ITEMS_TO_SCORE(scoringId === null ? 'own' : 'other'), [
      ids.slice(0, SLICE),
      ...(scoringId === null ? [] : [scoringId]),
    ]);
  }

  /** By item, the newest score with the same hash, of any scoring. */
  async judgedBefore(
    companyId: number,
    wanted: readonly { id: number; sha256: string }[],
  ): Promise<Map<number, StoredScore & { tries: number }>> {
    if (wanted.length === 0) return new Map();
    const rows = await this.db.select<{ item: number; score: StoredScore; tries: number }>(companyId, SCORES_BY_HASH, [
      wanted.map(({ id }) => id),
      wanted.map(({ sha256 }) => sha256),
    ]);
    return new Map(rows.map(({ item, score, tries }) => [item, { ...score, tries }]));
  }

  /** Marks their items; an item that was executed again keeps its own. */
  async write(tx: Tx, runId: string, scoringId: ScoringId, scores: readonly NewScore[]): Promise<void> {
    await tx.query(WRITE_SCORES, [
      tx.companyId,
      runId,
      scores.map(({ item }) => item.id),
      scores.map(({ item }) => item.attempts),
      scores.map(({ score }) => score.expectation_source),
      scores.map(({ score }) => score.response_sub_id),
      scores.map(({ score }) => textOrNull(score.expected_output_used)),
      scores.map(({ score }) => score.matched),
      scores.map(({ score }) => textOrNull(score.diff_result)),
      scores.map(({ score }) => JSON.stringify(score.criteria_results)),
      scores.map(({ score }) => score.failure_class),
      scores.map(({ isNew }) => isNew),
      scores.map(({ agreement }) => agreement),
      scores.map(({ score }) => score.criteria_results.find((each) => each.failure_class)?.description ?? null),
      scores.map(({ score }) => arrayText(score.repeats_matched)),
      scores.map(({ score }) => textOrNull(score.repeats_results)),
      scores.map(({ judged_sha256 }) => judged_sha256),
      scoringId,
      scores.map(({ meta_md5 }) => meta_md5),
    ]);
  }
}

const arrayText = (values: readonly (boolean | null)[]): string => `{${values.map(String).join(',')}}`;
const textOrNull = (value: object | null): string | null => value && JSON.stringify(value);
