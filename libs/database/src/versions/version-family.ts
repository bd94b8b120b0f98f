import type { Caller, Emission, GatePolicy, JsonText, ReleaseMoved, VersionPublished } from '@signalbox/contracts';
import type { Tx } from '../tx.js';
import type { View } from '../view.js';
import { type FamilyNames, tablesOf } from './family-tables.js';
import { moveView, releaseOverview, releaseView } from './release-views.js';
import { releaseStatements } from './releases.sql.js';
import type { Part } from './snapshot-diff.js';
import { versionStatements } from './versions.sql.js';

export type Gate = (caller: Caller, parentId: number, version: string, policy: GatePolicy) => Promise<GateVerdict>;

/** Each unmet condition names its field. */
export interface GateVerdict {
  passed: boolean;
  unmet: { field: string; message: string }[];
  test_run_id?: number;
  stale_items?: number[];
}

/** A service exports it from a `*.sql.ts` file, so that its schema spec plans the statements. */
export const familySql = (names: FamilyNames) => {
  const tables = tablesOf(names);
  return {
    ...names,
    sql: {
      versions: versionStatements(tables),
      releases: releaseStatements(tables),
      views: { release: releaseView(tables), overview: releaseOverview(tables), move: moveView(tables) },
    },
  };
};

export interface Family extends ReturnType<typeof familySql> {
  published: (parentId: number, data: VersionPublished) => Emission;
  releaseMoved: (parentId: number, data: ReleaseMoved) => Emission;
}

export interface VersionedFamily<Snapshot extends object, Resource extends object> extends Family {
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
