import { fieldsSql, type View } from '@signalbox/database';

/** A kind of ordered part of an agent's draft: its table and the columns that a write may set. */
export interface OrderedChild {
  view: View;
  /** Columns that a write may set. */
  columns: readonly string[];
  /** Messages of the 409s by unique constraint. */
  taken?: Record<string, string>;
}

/** The view of a part whose columns are shown unchanged. */
export const partOf = (
  resource: string,
  table: string,
  columns: readonly string[],
  more: Partial<Pick<View, 'search' | 'sort'>> & Pick<OrderedChild, 'taken'> = {},
): OrderedChild => {
  const { taken, ...rest } = more;
  const sort = { position: 't.position', ...rest.sort };
  const shown = ['id', 'agent_id', ...columns, 'position', 'date_created', 'date_updated'];
  return {
    view: { resource, table: `agents.${table}`, columns: shown, ...rest, sort },
    columns,
    ...(taken ? { taken } : {}),
  };
};

/** The parts of the agent `t` in their order, as one JSON list. */
export const partsOfAgent = ({ view }: OrderedChild): string =>
  `COALESCE((SELECT json_agg(row_to_json(f) ORDER BY f.position) FROM (
     SELECT ${fieldsSql(view, true).replace(/\bt\./g, 'p.')} FROM ${view.table} p
     WHERE p.company_id = t.company_id AND p.agent_id = t.id AND p.deleted_at IS NULL) f), '[]'::json)`;
