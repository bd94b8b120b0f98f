import type { Caller, GatePolicy, JsonText } from '@signalbox/contracts';
import type { Tx } from '../database.js';
import type { Part } from './snapshot-diff.js';
import type { View } from '../view.js';

/** What may judge a move of a release: given the policy and the version, passed or the unmet conditions. */
export type Gate = (caller: Caller, parentId: number, version: string, policy: GatePolicy) => Promise<GateVerdict>;

/** The verdict of a gate; each unmet condition names its field. */
export interface GateVerdict {
  passed: boolean;
  unmet: { field: string; message: string }[];
  test_run_id?: number;
}

/** Names of a family: its noun and its tables. */
export interface FamilyNames {
  /** Resource type of events and audit entries, and the noun of messages. */
  type: string;
  /** Table of the parents, such as `agents`. */
  parent: string;
  /** Column of the parents' table with their name, such as `agent_name`. */
  nameColumn: string;
  /** Column of the version and release tables that holds the parent's id, such as `agent_id`. */
  parentColumn: string;
  /** Tables named `<prefix>_versions`, `<prefix>_releases`, `<prefix>_release_moves`. */
  prefix: string;
}

/** What a family adds to the shared pattern. */
export interface VersionedFamily<Snapshot extends object, Resource extends object> extends FamilyNames {
  /** View of the version record as the wire shows it; its `detail` is shown by the read of one version only. */
  versionView: View;
  /** Reads the draft that is about to be frozen; the parent is locked and known to exist. */
  freeze: (tx: Tx, parentId: number) => Promise<Snapshot>;
  /** Notes, in the transaction of a publish, that the draft is published as it stands. */
  published?: (tx: Tx, parentId: number) => Promise<void>;
  /** Reads the draft without locking, null when the parent does not exist. */
  draft: (companyId: number, parentId: number) => Promise<Snapshot | null>;
  /** Copies a snapshot onto the draft of the locked parent, tells of it, and answers the parent. */
  restore: (tx: Tx, parentId: number, snapshot: Snapshot) => Promise<JsonText<Resource>>;
  /** Words of the 409 for the unique constraints that a restore can meet. */
  taken?: Record<string, string>;
  /** Both sides of a diff as they are compared and shown; without it, as they are. */
  comparable?: (from: Snapshot, to: Snapshot) => [from: object, to: object];
  /** Lists compared item by item in a diff. */
  parts?: Record<string, Part>;
}
