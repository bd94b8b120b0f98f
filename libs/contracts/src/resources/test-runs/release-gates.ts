import { defineContract } from '../../contract.js';
import { intType } from '../../fields/field-types.js';
import {
  Count,
  Epoch,
  Flag,
  Id,
  List,
  ListOf,
  Nested,
  Nullable,
  OneOf,
  Optional,
  SemVer,
} from '../../fields/fields.js';
import { GatePolicy } from '../../versions/releases.js';
import { FieldProblem } from './test-run-results.js';

class JudgeVersion {
  @OneOf(['WORKFLOW', 'AGENT', 'EXTERNAL']) consumer_kind!: 'WORKFLOW' | 'AGENT' | 'EXTERNAL';
  @Id() consumer_id!: number;
  @SemVer() version!: string;
  @Nested(() => GatePolicy) policy!: GatePolicy;
}
/** The verdict of a release gate; each unmet condition names its field (docs/api/README.md). */
export class ReleaseVerdict {
  @Flag() passed!: boolean;
  @ListOf(() => FieldProblem) unmet!: FieldProblem[];
  @Id() @Optional() test_run_id?: number;
  @List(intType(), 0, 20) @Optional() stale_items?: number[];
}

class CheckCounts {
  @Id() id!: number;
  @Count() total!: number;
  @Count() matched!: number;
  @Count() mismatched!: number;
  @Count() error_count!: number;
  @Epoch() completed_at!: number;
  @Epoch() @Optional() started_at?: number;
}
class JudgeCheck {
  @Nested(() => CheckCounts) @Nullable() check!: CheckCounts | null;
  @Nested(() => GatePolicy) policy!: GatePolicy;
}

/** Internal: the test runs behind release gates. */
export const releaseGates = defineContract(
  { name: 'release-gates', service: 'test-runs', tag: 'Internal' },
  {
    judgeVersion: {
      summary: 'Judge a version by the newest test run of a policy',
      input: JudgeVersion,
      output: ReleaseVerdict,
    },
    judgeCheck: {
      summary: 'Judge the newest check of a version of a monitor by a policy; 404 when the test set does not exist',
      input: JudgeCheck,
      output: ReleaseVerdict,
    },
  },
);
