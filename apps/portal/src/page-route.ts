import { lazy } from 'preact/compat';
import type { ComponentType } from 'preact';

/** The groups of the rail, in their order. */
export const GROUPS = ['Build', 'Run', 'Watch', 'Test', 'Release', 'Train', 'Settings'] as const;

/** A page: its address below the company, its title, its group in the rail, and the key that goes there after `g`. */
export interface PageRoute {
  path: string;
  title: string;
  group?: (typeof GROUPS)[number];
  key?: string;
  page: ComponentType;
}

/** A page that is loaded when it is opened. */
export const page = (load: () => Promise<ComponentType>): ComponentType =>
  lazy(async () => ({ default: await load() }));
