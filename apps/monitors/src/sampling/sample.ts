import { rollOf } from '@signalbox/conditions';
import type { SourceType } from '@signalbox/contracts';

/**
 * One uniform roll from 0 to below 100 for a source and a target. It follows from their ids, so a redelivered event
 * rolls the same, and all versions of a monitor judge the same samples.
 */
export const roll = (sourceType: SourceType, sourceId: string, targetId: number): number =>
  rollOf(`${sourceType} ${sourceId} ${targetId}`);

/** Tolerance between the clocks of the processes that emit events and those that date monitors and targets. */
const CLOCKS_MS = 1000;

/**
 * Whether a target is watched when a source ends. Events from before may arrive: after a loss of the bus store those of
 * the last day are published again.
 */
export const isWatched = (since: number, occurredAt: number): boolean => occurredAt >= since - CLOCKS_MS;

/** Whether a target with this rate in percent judges the source. */
export const isSampled = (rate: number, sourceType: SourceType, sourceId: string, targetId: number): boolean =>
  roll(sourceType, sourceId, targetId) < rate;
