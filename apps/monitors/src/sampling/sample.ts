import { rollOf } from '@signalbox/conditions';
import type { SourceType } from '@signalbox/contracts';

/**
 * Uniform from 0 to below 100, derived from the ids: a redelivered event is sampled alike, and all versions of a
 * monitor judge the same samples.
 */
export const roll = (sourceType: SourceType, sourceId: string, targetId: number): number =>
  rollOf(`${sourceType} ${sourceId} ${targetId}`);

/** Tolerated difference between the clocks that date events and monitors. */
const CLOCKS_MS = 1000;

/** Ignores events from before: after a loss of the stream's store, those of the last day are published again. */
export const isWatched = (since: number, occurredAt: number): boolean => occurredAt >= since - CLOCKS_MS;

/** `rate` is in percent. */
export const isSampled = (rate: number, sourceType: SourceType, sourceId: string, targetId: number): boolean =>
  roll(sourceType, sourceId, targetId) < rate;
