import type { ComponentChildren, ComponentType } from 'preact';
import type { Signalbox } from '@signalbox/sdk';
import type { Column, Page } from '../parts/rows.js';
import type { Filter, Named } from '../rules/filters.js';
import type { Option } from '../rules/item-form.js';
import type { Schema } from '../rules/schema-fields.js';

export type Ids = Record<string, number>;
export type ListInput = Record<string, unknown> & { offset: number; limit: number };

export interface ItemForm<V> {
  /** By field, with `title` as label and `description` as hint. */
  fields: { [Name in keyof V & string]?: Schema };
  required?: readonly (keyof V & string)[];
  /** Choices of fields: names of a list of the API, or loaded for the form. */
  options?: {
    [Name in keyof V & string]?: Named | ((api: Signalbox, signal: AbortSignal) => Promise<readonly Option[]>);
  };
}

export interface Maker<T, V> extends ItemForm<V> {
  scope: string;
  submit: (api: Signalbox, value: V, ids: Ids) => PromiseLike<T>;
}

/** Sends only changed fields. */
export interface Changer<T, V> extends ItemForm<V> {
  scope: string;
  isShown?: (item: T) => boolean;
  submit: (api: Signalbox, item: T, change: V) => PromiseLike<unknown>;
}

export interface Action<T> {
  label: string;
  scope: string;
  isShown?: (item: T) => boolean;
  said?: string;
  /** What is lost: asks first. */
  says?: string;
  act?: (api: Signalbox, item: T) => PromiseLike<unknown>;
  dialog?: ComponentType<{ item: T; changed: () => void; close: () => void }>;
}

export interface SectionProps<T> {
  item: T;
  changed: () => void;
}

export interface Listing<T> {
  title: string;
  /** The singular within a sentence. */
  noun: string;
  about: string;
  path: (ids: Ids) => string;
  idOf: (item: T) => number;
  columns: Column<T>[];
  filters: readonly Filter[];
  /** `newest`: new rows appear at the top; `any`: visible rows change. */
  live?: 'newest' | 'any';
  list: (api: Signalbox, input: ListInput, ids: Ids, signal: AbortSignal) => PromiseLike<Page<T>>;
}

/** A resource as data: its list, detail page and forms. */
export interface Declaration<T, Made, Changed> extends Listing<T> {
  /** The page with the list, when it is not at `path`. */
  listedAt?: (ids: Ids) => string;
  nameOf: (item: T) => string;
  get: (api: Signalbox, ids: Ids, signal: AbortSignal) => PromiseLike<T>;
  /** Milliseconds between reloads of the detail page. */
  pollMs?: (item: T | undefined) => number | false;
  facts: (item: T) => [label: string, value: ComponentChildren][];
  /** A sentence about the state, shown first. */
  note?: (item: T) => ComponentChildren;
  make?: Maker<T, Made>;
  edit?: Changer<T, Changed>;
  remove?: {
    scope: string;
    isShown?: (item: T) => boolean;
    /** What is lost. */
    says: string;
    /** A checkbox in the question, whose value `act` gets. */
    choice?: string;
    act: (api: Signalbox, item: T, isChosen: boolean) => PromiseLike<unknown>;
  };
  actions?: Action<T>[];
  downloads?: (item: T) => [label: string, path: string][];
  sections?: Record<string, ComponentType<SectionProps<T>>>;
}
