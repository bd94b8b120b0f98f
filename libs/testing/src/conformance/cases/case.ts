import type { ConformanceFixtures } from '../fixtures.js';

/** A valid input for a fixture company; destructive endpoints get resources that no other case uses. */
export type Case = (fixtures: ConformanceFixtures) => Record<string, unknown> | Promise<Record<string, unknown>>;
