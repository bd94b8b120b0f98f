import type { Filter } from '@signalbox/database';
import { MODELS_SEEN_IN, MODELS_USED_BY, type ModelUser } from './models.sql.js';

interface Span {
  start_date?: number | undefined;
  end_date?: number | undefined;
}

/** The models in traffic or configuration of a resource; with a time span, those in its traffic within it. */
export function usedBy(user: ModelUser, id: number, { start_date, end_date }: Span = {}): Filter {
  if (start_date === undefined && end_date === undefined) return { sql: MODELS_USED_BY[user], value: id };
  return { sql: MODELS_SEEN_IN[user], value: [id, start_date ?? 0, end_date ?? Number.MAX_SAFE_INTEGER] };
}
