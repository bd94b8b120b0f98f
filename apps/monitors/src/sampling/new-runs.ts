import { randomUUID } from 'node:crypto';
import { type MonitorConfig, type RunnerType, MAX_READ_SOURCES, type SourceType } from '@signalbox/contracts';
import type { RunOutcome } from '../judging/index.js';
import { isSampled, isWatched } from './sample.js';

/** A production source of a target. */
export interface Source {
  targetId: number;
  sourceId: string;
  /** When its event was emitted, by the clock of its service. */
  occurredAt: number;
}

/** A version of a monitor that judges sources of a target. */
export interface TargetVersion {
  id: number;
  target_id: number;
  monitor_id: number;
  sample_rate: number;
  version_id: number;
  version_number: string;
  runner_type: RunnerType;
  runner_ref_id: string | null;
  /** Of the version; null unless its runner is `direct`. */
  config: MonitorConfig | null;
  shadow: boolean;
  /** The release that names the version; null for the latest and a shadow version. */
  release: string | null;
  /** Since when the monitor watches the target. */
  since: number;
}

/** A run that is to be inserted. */
export interface NewRun {
  target: TargetVersion;
  sourceId: string;
  /** The job that judges the run unless it has an outcome. */
  batch: string;
  outcome?: RunOutcome;
}

/** The runs of sources: one for each version that judges a target of the source, if the source is sampled. */
export function runsOf(targets: readonly TargetVersion[], type: SourceType, sources: readonly Source[]): NewRun[] {
  const runs: NewRun[] = [];
  // The sources of a direct batch are read at once; a judgement by a model is a separate job.
  for (let at = 0; at < sources.length; at += MAX_READ_SOURCES) {
    const directBatch = randomUUID();
    for (const { targetId, sourceId, occurredAt } of sources.slice(at, at + MAX_READ_SOURCES))
      for (const target of targets)
        if (
          target.target_id === targetId &&
          isWatched(target.since, occurredAt) &&
          isSampled(target.sample_rate, type, sourceId, target.id)
        )
          runs.push({ target, sourceId, batch: target.runner_type === 'direct' ? directBatch : randomUUID() });
  }
  return runs;
}
