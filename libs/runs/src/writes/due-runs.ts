import type { RunKind } from '../run-kind.js';

/** A run whose work becomes due when another one ends. */
export interface DueRun {
  id: string;
  work_kind: string;
}

/**
 * SQL over the alias `t`, an ended run: a JSON list of the `DueRun`s that its end makes due, which are its running parent
 * and its successor; null when there is none.
 */
export function dueSql({ tables: { runs, parent }, inlineChildren, successor }: DueKind): string {
  const ofParent = `SELECT p.id, p.work_kind FROM ${runs} p
    WHERE p.company_id = t.company_id AND p.id = t.${parent} AND p.status = 'RUNNING'`;
  const due = [...(parent && !inlineChildren ? [ofParent] : []), ...(successor ? [successor] : [])];
  return due.length === 0
    ? 'NULL::json'
    : `(SELECT json_agg(json_build_object('id', d.id, 'work_kind', d.work_kind)) FROM (${due.join(' UNION ALL ')}) d)`;
}

type DueKind = Pick<RunKind, 'tables' | 'inlineChildren' | 'successor'>;
