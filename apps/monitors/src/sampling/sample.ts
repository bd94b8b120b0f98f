import type { SourceType } from '@signalbox/contracts';

const RANGE = 2 ** 32;
const PRIME = 0x0100_0193;
const OFFSET = 0x811c_9dc5;

/** FNV-1a over the code units, then the finalizer of MurmurHash3, which spreads similar ids over the whole range. */
function hashOf(text: string): number {
  let hash = OFFSET;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), PRIME);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/**
 * One uniform roll from 0 to below 100 for a source and a target. It follows from their ids, so a redelivered event
 * rolls the same, and all versions of a monitor judge the same samples.
 */
export const roll = (sourceType: SourceType, sourceId: string, targetId: number): number =>
  (hashOf(`${sourceType} ${sourceId} ${targetId}`) / RANGE) * 100;

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
