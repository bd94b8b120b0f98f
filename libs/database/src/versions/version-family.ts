import type { Caller, Emission, GatePolicy, JsonText, ReleaseMoved, VersionPublished } from '@signalbox/contracts';
import type { Tx } from '../tx.js';
import type { Part } from './snapshot-diff.js';
import type { View } from '../view.js';

export type Gate = (caller: Caller, parentId: number, version: string, policy: GatePolicy) => Promise<GateVerdict>;

/** Each unmet condition names its field. */
export interface GateVerdict {
  passed: boolean;
  unmet: { field: string; message: string }[];
  test_run_id?: number;
  stale_items?: number[];
}

export interface FamilyNames {
  published: (parentId: number, data: VersionPublished) => Emission;
  releaseMoved: (parentId: number, data: ReleaseMoved) => Emission;
  /** Resource type of events and audit entries, and the noun in messages. */
  type: string;
  parent: string;
  nameColumn: string;
  parentColumn: string;
  /** As in `<prefix>_versions`, `<prefix>_releases`, `<prefix>_release_moves`. */
  prefix: string;
  /** Snapshot fields with the schemas of a tool; without them releases are not tools. */
  mcp?: { input: string; output: string };
}

export interface VersionedFamily<Snapshot extends object, Resource extends object> extends FamilyNames {
  /** `detail` is included only when a single version is read. */
  versionView: View;
  /** The parent exists and is locked. */
  freeze: (tx: Tx, parentId: number) => Promise<Snapshot>;
  recordPublished?: (tx: Tx, parentId: number) => Promise<void>;
  draft: (companyId: number, parentId: number) => Promise<Snapshot | null>;
  /** Copies a snapshot to the draft of the locked parent and emits its event. */
  restore: (tx: Tx, parentId: number, snapshot: Snapshot) => Promise<JsonText<Resource>>;
  uniqueViolations?: Record<string, string>;
  /** Converts both sides before they are compared and shown. */
  comparable?: (from: Snapshot, to: Snapshot) => [from: object, to: object];
  parts?: Record<string, Part>;
}
