import { readStatement } from '@signalbox/database';
import { DRAFT_INDEXES, DRAFT_SNAPSHOT } from '../drafts/index.js';

export const CALLED_AGENT = readStatement(
  { index: DRAFT_INDEXES },
  `SELECT x.* FROM s, LATERAL (SELECT t.status, t.kind, t.application_id, ${DRAFT_SNAPSHOT} AS snapshot FROM agents.agents t
   WHERE t.company_id = s.company AND t.id = $2 AND t.deleted_at IS NULL OFFSET 0) x`,
);
