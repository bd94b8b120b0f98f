import { lazy } from 'preact/compat';
import type { ComponentType } from 'preact';

/** In the order of the rail. */
export const GROUPS = ['Build', 'Run', 'Watch', 'Test', 'Release', 'Train', 'Settings'] as const;

/** `path` is below the company; `key` goes there after `g`. */
export interface PageRoute {
  path: string;
  title: string;
  group?: (typeof GROUPS)[number];
  key?: string;
  page: ComponentType;
}

/** Loaded when it is opened. */
export const page = (load: () => Promise<ComponentType>): ComponentType =>
  lazy(async () => ({ default: await load() }));
