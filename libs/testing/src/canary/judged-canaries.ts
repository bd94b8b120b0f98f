import type { ConformanceFixtures } from '../conformance/fixtures.js';
import type { Secrets } from './families/canary-agents.js';
import type { SearchingClient } from './searching-client.js';

export type Json = Record<string, unknown>;

export const JUDGE = 'canary-judge';
export const BROKEN_JUDGE = 'canary-broken-judge';

export interface CanaryPlace {
  application_id: unknown;
  intent_id: unknown;
  intent_group_id: unknown;
  intent: string;
}

export interface JudgedCanaries {
  client: SearchingClient;
  fixtures: ConformanceFixtures;
  place: CanaryPlace;
  newSecrets: () => Secrets;
  note(kind: string, verdicts: readonly unknown[]): void;
}
