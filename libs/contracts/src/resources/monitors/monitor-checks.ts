import { defineContract } from '../../contract.js';
import { page } from '../../contract/outputs.js';
import {
  Count,
  Description,
  Epoch,
  field,
  Id,
  join,
  ListOf,
  Nullable,
  Num,
  OneOf,
  SemVer,
} from '../../fields/fields.js';
import { FAILURE_CLASSES, type FailureClass, ListQuery } from '../../shapes.js';
import { versionWord } from '../../versions/versions.js';
import { JUDGED_OUTCOMES, type JudgedOutcome } from './monitor-config.js';
import { MonitorPath } from './monitor-path.js';
import { MONITOR_OUTCOMES, type MonitorOutcome } from './monitor-runs.js';

export const CHECK_STATUSES = ['CREATED', 'RUNNING', 'COMPLETED'] as const;
export type CheckStatus = (typeof CHECK_STATUSES)[number];

/** The causes of an ERROR of an item that are more specific than its class. */
export const CHECK_ERROR_CODES = ['budget_exceeded'] as const;
export type CheckErrorCode = (typeof CHECK_ERROR_CODES)[number];

export class CheckItem {
  @Id() test_set_item_id!: number;
  @OneOf(JUDGED_OUTCOMES)
  @Nullable()
  @Description('Null when meta.expected_outcome of the item is no outcome; such an item ends as ERROR')
  expected_outcome!: JudgedOutcome | null;
  @OneOf(MONITOR_OUTCOMES) outcome!: MonitorOutcome;
  @OneOf(FAILURE_CLASSES) @Nullable() failure_class!: FailureClass | null;
  @OneOf(CHECK_ERROR_CODES)
  @Nullable()
  @Description('`budget_exceeded`: the monitor had reached `max_cost_per_day`, so the item was not judged')
  error_code!: CheckErrorCode | null;
}

/** A check of a version of a monitor against a test set, without its items. */
export class CheckRunSummary {
  @Id() id!: number;
  @Id() monitor_id!: number;
  @SemVer() version_number!: string;
  @Id() test_set_id!: number;
  @OneOf(CHECK_STATUSES) status!: CheckStatus;
  @Count() total!: number;
  @Count() @Description('Items with the expected outcome') matched!: number;
  @Count() mismatched!: number;
  @Count() @Description('Items that could not be judged; they count in no rate') error_count!: number;
  @Num(0, 1) @Nullable() match_rate!: number | null;
  @Num(0)
  @Nullable()
  @Description('US dollars that its judgements have cost; they count towards `max_cost_per_day`')
  cost!: number | null;
  @Epoch() @Nullable() completed_at!: number | null;
  @Epoch() date_created!: number;
  @Epoch() date_updated!: number;
}
/** A check of a version of a monitor against a test set. */
export class CheckRun extends CheckRunSummary {
  @ListOf(() => CheckItem, 0, 10_000) @Description('The items that are judged so far') items!: CheckItem[];
}

class NewCheck extends MonitorPath {
  @field(versionWord) version!: string;
  @Id() test_set_id!: number;
}
class CheckPath extends MonitorPath {
  @Id() check_id!: number;
}

const of = '/monitors/{monitor_id}/checks' as const;

/** Checks of monitors against test sets (docs/api/monitors.md). */
export const monitorChecks = defineContract(
  { name: 'monitor-checks', service: 'monitors', tag: 'Monitors' },
  {
    listMonitorChecks: {
      get: of,
      summary: 'List the checks of a monitor, without their items',
      input: join(MonitorPath, ListQuery),
      output: page(CheckRunSummary),
    },
    createMonitorCheck: {
      post: of,
      summary: 'Judge the items of a test set by a version and compare the outcomes with the expected ones',
      errors: ['conflict'],
      scope: 'invoke',
      input: NewCheck,
      output: CheckRun,
    },
    getMonitorCheck: {
      get: `${of}/{check_id}`,
      summary: 'Get a check with its items',
      input: CheckPath,
      output: CheckRun,
    },
  },
);
