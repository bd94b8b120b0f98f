import type { Migration } from '@signalbox/database';
import { Traffic1700000002000 } from './1700000002000-traffic.js';
import { RecordedRequests1700000002100 } from './1700000002100-recorded-requests.js';
import { Intents1700000002300 } from './1700000002300-intents.js';
import { Analytics1700000002400 } from './1700000002400-analytics.js';
import { LargeParts1700000002500 } from './1700000002500-large-parts.js';
import { RequestOrigins1700000002600 } from './1700000002600-request-origins.js';
import { TextCompression1700000002700 } from './1700000002700-text-compression.js';
import { Tags1700000002800 } from './1700000002800-tags.js';
import { TagRules1700000002900 } from './1700000002900-tag-rules.js';
import { Sentinels1700000002950 } from './1700000002950-sentinels.js';
import { EvaluationRuns1700000002960 } from './1700000002960-evaluation-runs.js';
import { Reports1700000002970 } from './1700000002970-reports.js';
import { FinetunedModels1700000003000 } from './1700000003000-finetuned-models.js';
import { RequestReleases1700000003050 } from './1700000003050-request-releases.js';
import { SessionRetention1700000003060 } from './1700000003060-session-retention.js';
import { ObjectDeletions1700000003180 } from './1700000003180-object-deletions.js';
import { NewMessages1700000003181 } from './1700000003181-new-messages.js';
import { DefaultPartition1700000003182 } from './1700000003182-default-partition.js';
import { Otel1700000009101 } from './1700000009101-otel.js';
import { TraceRetention1700000009103 } from './1700000009103-trace-retention.js';
import { RecordedSpans1700000009530 } from './1700000009530-recorded-spans.js';
import { DueTraces1700000009560 } from './1700000009560-due-traces.js';
import { ClosedDays1700000009570 } from './1700000009570-closed-days.js';
import { CorrectedRequests1700000009574 } from './1700000009574-corrected-requests.js';
import { ResultsByOwner1700000009623 } from './1700000009623-results-by-owner.js';
import { DeletedRequests1700000009624 } from './1700000009624-deleted-requests.js';
import { ClosedDayLists1700000009625 } from './1700000009625-closed-day-lists.js';
import { FailedRequests1700000009651 } from './1700000009651-failed-requests.js';
import { FaultyClosedDays1700000009652 } from './1700000009652-faulty-closed-days.js';
import { ResultLists1700000009653 } from './1700000009653-result-lists.js';
import { PartitionLockTimeout1700000009671 } from './1700000009671-partition-lock-timeout.js';

/** The schema of the service with its migrations, in the order in which they were added. */
export const schema: Migration = {
  service: 'traffic',
  migrations: [
    Traffic1700000002000,
    RecordedRequests1700000002100,
    Intents1700000002300,
    Analytics1700000002400,
    LargeParts1700000002500,
    RequestOrigins1700000002600,
    TextCompression1700000002700,
    Tags1700000002800,
    TagRules1700000002900,
    Sentinels1700000002950,
    EvaluationRuns1700000002960,
    Reports1700000002970,
    FinetunedModels1700000003000,
    RequestReleases1700000003050,
    SessionRetention1700000003060,
    ObjectDeletions1700000003180,
    NewMessages1700000003181,
    DefaultPartition1700000003182,
    Otel1700000009101,
    TraceRetention1700000009103,
    RecordedSpans1700000009530,
    DueTraces1700000009560,
    ClosedDays1700000009570,
    CorrectedRequests1700000009574,
    ResultsByOwner1700000009623,
    DeletedRequests1700000009624,
    ClosedDayLists1700000009625,
    FailedRequests1700000009651,
    FaultyClosedDays1700000009652,
    ResultLists1700000009653,
    PartitionLockTimeout1700000009671,
  ],
};
