import type { ConformanceFixtures } from './world.js';

/** A valid input of an endpoint in a world; destructive endpoints are given resources of their own. */
export type Case = (world: ConformanceFixtures) => Record<string, unknown> | Promise<Record<string, unknown>>;
