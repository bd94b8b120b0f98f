import type { ConformanceFixtures } from '../conformance/fixtures.js';
import type { Secrets } from './families/canary-agents.js';
import type { SearchingClient } from './searching-client.js';

/** An object of the API. */
export type Json = Record<string, unknown>;

/** The model that judges. */
export const JUDGE = 'canary-judge';
/** A model whose calls are refused always. */
export const BROKEN_JUDGE = 'canary-broken-judge';

/** An intent with its application and group, as its record shows them. */
export interface CanaryPlace {
  application_id: unknown;
  intent_id: unknown;
  intent_group_id: unknown;
  intent: string;
}

/** What judges of canaries work with. */
export interface JudgedCanaries {
  client: SearchingClient;
  fixtures: ConformanceFixtures;
  place: CanaryPlace;
  /** Secrets that their target has to receive. */
  newSecrets: () => Secrets;
  /** Records verdicts of one kind. */
  note(kind: string, verdicts: readonly unknown[]): void;
}
