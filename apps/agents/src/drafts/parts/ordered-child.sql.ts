import { fieldsSql } from '@signalbox/database';
import type { OrderedChild } from './ordered-child.js';

export const partsOfAgent = ({ view }: OrderedChild): string =>
  `COALESCE((SELECT json_agg(row_to_json(f) ORDER BY f.position) FROM (
     SELECT ${fieldsSql(view, true).replace(/\bt\./g, 'p.')} FROM ${view.table} p
     WHERE p.company_id = t.company_id AND p.agent_id = t.id AND p.deleted_at IS NULL) f), '[]'::json)`;
