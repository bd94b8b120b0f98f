import { randomUUID } from 'node:crypto';
import { type MonitorConfig, type RunnerType, MAX_READ_SOURCES, type SourceType } from '@signalbox/contracts';
import type { RunOutcome } from '../judging/index.js';
import { isSampled, isWatched } from './sample.js';

export interface Source {
  targetId: number;
  sourceId: string;
  /** By the clock of the service that emitted the event. */
  occurredAt: number;
}

/** A version that judges sources of a target. */
export interface TargetVersion {
  id: number;
  target_id: number;
  monitor_id: number;
  sample_rate: number;
  version_id: number;
  version_number: string;
  runner_type: RunnerType;
  runner_ref_id: string | null;
  /** Null unless the runner is `direct`. */
  config: MonitorConfig | null;
  shadow: boolean;
  /** The release that names the version; null for the latest and for a shadow version. */
  release: string | null;
  /** When the monitor began to watch the target. */
  since: number;
}

export interface NewRun {
  target: TargetVersion;
  sourceId: string;
  /** The job that judges the run, unless it already has an outcome. */
  batch: string;
  outcome?: RunOutcome;
}

/** One run per sampled source and version that judges it. */
export function runsOf(targets: readonly TargetVersion[], type: SourceType, sources: readonly Source[]): NewRun[] {
  const runs: NewRun[] = [];
  // The sources of a direct batch are read together; a judgement by a model is a job of its own.
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
