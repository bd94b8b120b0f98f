import type { Caller, Emission, GatePolicy, JsonText, ReleaseMoved, VersionPublished } from '@signalbox/contracts';
import type { Tx } from '../tx.js';
import type { Part } from './snapshot-diff.js';
import type { View } from '../view.js';

/** Checks a move of a release against its policy; returns whether it passes, or the unmet conditions. */
export type Gate = (caller: Caller, parentId: number, version: string, policy: GatePolicy) => Promise<GateVerdict>;

/** The verdict of a gate; each unmet condition names its field. */
export interface GateVerdict {
  passed: boolean;
  unmet: { field: string; message: string }[];
  test_run_id?: number;
  stale_items?: number[];
}

/** The noun and the tables of a family. */
export interface FamilyNames {
  /** The event of a publish. */
  published: (parentId: number, data: VersionPublished) => Emission;
  /** The event of a move of a release. */
  releaseMoved: (parentId: number, data: ReleaseMoved) => Emission;
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
  /** The fields of a snapshot that say what a tool takes and gives; releases of families without them are no tools. */
  mcp?: { input: string; output: string };
}

/** The family-specific parts of the shared pattern. */
export interface VersionedFamily<Snapshot extends object, Resource extends object> extends FamilyNames {
  /** View of the version record; its `detail` is included only when a single version is read. */
  versionView: View;
  /** Reads the draft to be published; the parent is locked and exists. */
  freeze: (tx: Tx, parentId: number) => Promise<Snapshot>;
  /** Called in the transaction of a publish, to record that the draft is published. */
  recordPublished?: (tx: Tx, parentId: number) => Promise<void>;
  /** Reads the draft without locking, null when the parent does not exist. */
  draft: (companyId: number, parentId: number) => Promise<Snapshot | null>;
  /** Copies a snapshot onto the draft of the locked parent, emits its event and returns the parent. */
  restore: (tx: Tx, parentId: number, snapshot: Snapshot) => Promise<JsonText<Resource>>;
  /** Messages of the 409 for the unique constraints that a restore can violate. */
  uniqueViolations?: Record<string, string>;
  /** Converts both sides of a diff before they are compared and shown; by default unchanged. */
  comparable?: (from: Snapshot, to: Snapshot) => [from: object, to: object];
  /** Lists compared item by item in a diff. */
  parts?: Record<string, Part>;
}
