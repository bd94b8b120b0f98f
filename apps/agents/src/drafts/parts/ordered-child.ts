import { type View } from '@signalbox/database';

export interface OrderedChild {
  view: View;
  columns: readonly string[];
  uniqueViolations?: Record<string, string>;
}

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
