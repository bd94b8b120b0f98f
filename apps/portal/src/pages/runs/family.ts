import type { ComponentChildren } from 'preact';
import type { ImportSource } from '@signalbox/sdk';
import type { Column, Page } from '../../parts/rows.js';
import type { Filter } from '../../rules/filters.js';

/** What is done with one run of a family. */
export interface RunActionsOf<T> {
  /** Runs it again as it ran. */
  rerun: (row: T) => Promise<unknown>;
  /** Ends it; a family without ends by itself. */
  cancel?: (row: T) => Promise<unknown>;
  isOpen: (row: T) => boolean;
  /** Whether it ran elsewhere, where it can neither be run again nor cancelled from here. */
  isElsewhere?: (row: T) => boolean;
}

/** One of the three lists of what ran. */
export interface Family<T> {
  label: string;
  filters: readonly Filter[];
  orders: readonly (readonly [string, string])[];
  columns: Column<T>[];
  load: (input: Record<string, unknown>, signal: AbortSignal) => PromiseLike<Page<T>>;
  keyOf: (row: T) => string;
  pathOf: (row: T) => string;
  sourceType: ImportSource['source_type'];
  actions: RunActionsOf<T>;
  peek: (row: T) => ComponentChildren;
  empty: string;
}
