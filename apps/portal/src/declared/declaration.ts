import type { ComponentChildren, ComponentType } from 'preact';
import type { Signalbox } from '@signalbox/sdk';
import type { Column, Page } from '../parts/rows.js';
import type { Filter, Named } from '../rules/filters.js';
import type { Option } from '../rules/item-form.js';
import type { Schema } from '../rules/schema-fields.js';

/** The numbers in the address of a page, by their names there. */
export type Ids = Record<string, number>;
/** What a list of the API takes besides its own filters. */
export type ListInput = Record<string, unknown> & { offset: number; limit: number };

export interface ItemForm<V> {
  /** A schema for each field, with `title` as its label and `description` as its hint. */
  fields: { [Name in keyof V & string]?: Schema };
  required?: readonly (keyof V & string)[];
  /** What can be chosen in fields: names of a list of the API, or what is loaded for the form. */
  options?: {
    [Name in keyof V & string]?: Named | ((api: Signalbox, signal: AbortSignal) => Promise<readonly Option[]>);
  };
}

/** A form that makes something. */
export interface Maker<T, V> extends ItemForm<V> {
  scope: string;
  submit: (api: Signalbox, value: V, ids: Ids) => PromiseLike<T>;
}

/** A form that changes something; it sends the fields that were changed. */
export interface Changer<T, V> extends ItemForm<V> {
  scope: string;
  isShown?: (item: T) => boolean;
  submit: (api: Signalbox, item: T, change: V) => PromiseLike<unknown>;
}

/** What can be done with one thing: at once, or in a dialog. */
export interface Action<T> {
  label: string;
  scope: string;
  isShown?: (item: T) => boolean;
  /** What is said when it is done. */
  said?: string;
  act?: (api: Signalbox, item: T) => PromiseLike<unknown>;
  dialog?: ComponentType<{ item: T; changed: () => void; close: () => void }>;
}

export interface SectionProps<T> {
  item: T;
  /** Loads the page again. */
  changed: () => void;
}

/** A kind of things of the API as a list. */
export interface Listing<T> {
  title: string;
  /** What one of them is called within a sentence. */
  noun: string;
  /** What they are for, said where there is none yet. */
  about: string;
  /** The address below the company under which they are. */
  path: (ids: Ids) => string;
  idOf: (item: T) => number;
  columns: Column<T>[];
  filters: readonly Filter[];
  /** New rows stand at the top of the list, or rows change while it is in view. */
  live?: 'newest' | 'any';
  list: (api: Signalbox, input: ListInput, ids: Ids, signal: AbortSignal) => PromiseLike<Page<T>>;
}

/** A kind of things of the API as a list, a page of each, and the forms that make and change them. */
export interface Declaration<T, Made, Changed> extends Listing<T> {
  /** The page that lists them, when it is not at the address under which they are. */
  listedAt?: (ids: Ids) => string;
  nameOf: (item: T) => string;
  get: (api: Signalbox, ids: Ids, signal: AbortSignal) => PromiseLike<T>;
  /** How often the page of one of them is loaded again, in milliseconds. */
  pollMs?: (item: T | undefined) => number | false;
  facts: (item: T) => [label: string, value: ComponentChildren][];
  /** A sentence about its state that comes first. */
  note?: (item: T) => ComponentChildren;
  make?: Maker<T, Made>;
  edit?: Changer<T, Changed>;
  remove?: {
    scope: string;
    isShown?: (item: T) => boolean;
    /** What is lost. */
    says: string;
    /** A choice in the question, whose answer `act` gets. */
    choice?: string;
    act: (api: Signalbox, item: T, isChosen: boolean) => PromiseLike<unknown>;
  };
  actions?: Action<T>[];
  /** Files of the API that can be saved: what each is called, and its path there. */
  downloads?: (item: T) => [label: string, path: string][];
  /** Tabs of its page. */
  sections?: Record<string, ComponentType<SectionProps<T>>>;
}
