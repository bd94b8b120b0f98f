import { type View } from '@signalbox/database';

/** A kind of ordered part of an agent's draft: its table and the columns that a write may set. */
export interface OrderedChild {
  view: View;
  /** Columns that a write may set. */
  columns: readonly string[];
  /** Messages of the 409s by unique constraint. */
  uniqueViolations?: Record<string, string>;
}

/** The view of a part whose columns are shown unchanged. */
export const partOf = (
  resource: string,
  table: string,
  columns: readonly string[],
  more: Partial<Pick<View, 'search' | 'sort'>> & Pick<OrderedChild, 'uniqueViolations'> = {},
): OrderedChild => {
  const { uniqueViolations, ...rest } = more;
  const filters = { agent_id: 't.agent_id = ?' };
  const sort = { position: 't.position', ...rest.sort };
  const shown = ['id', 'agent_id', ...columns, 'position', 'date_created', 'date_updated'];
  return {
    view: { resource, table: `agents.${table}`, columns: shown, filters, ...rest, sort },
    columns,
    ...(uniqueViolations ? { uniqueViolations } : {}),
  };
};
