import type { Database } from '@signalbox/database';
import { EvaluatedCompanies } from '../src/watched-companies/evaluated-companies.js';
import { NewRequestEvaluations } from '../src/request-records/writing/new-request-evaluations.js';
import { ResultWriter } from '../src/request-records/writing/result-writer.repository.js';
import { RequestWriter } from '../src/request-records/writing/request-writer.repository.js';
import { Sentinels } from '../src/judging/sentinels.repository.js';
import { Sessions } from '../src/sessions/sessions.repository.js';
import { AutoTaggedCompanies } from '../src/watched-companies/auto-tagged-companies.js';

/** A writer of requests without a bus: broadcasts are neither sent nor received. */
export function requestWriter(db: Database): RequestWriter {
  const bus = {} as never;
  const evaluations = new NewRequestEvaluations(new EvaluatedCompanies(db, bus), new Sentinels(db), new ResultWriter());
  return new RequestWriter(db, new Sessions(db), new AutoTaggedCompanies(db, bus), evaluations);
}
