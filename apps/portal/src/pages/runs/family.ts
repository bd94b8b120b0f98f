import type { ComponentChildren } from 'preact';
import type { ImportSource } from '@signalbox/sdk';
import type { Column, Page } from '../../parts/rows.js';
import type { Filter } from '../../rules/filters.js';

export interface RunActionsOf<T> {
  rerun: (row: T) => Promise<unknown>;
  /** Undefined for a family that ends by itself. */
  cancel?: (row: T) => Promise<unknown>;
  isOpen: (row: T) => boolean;
  /** Ran elsewhere, where it can be neither repeated nor cancelled. */
  isElsewhere?: (row: T) => boolean;
}

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
