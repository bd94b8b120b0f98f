import { defineContract } from '../../contract.js';
import { Flag, Id, ListOf, Nested, OneOf, Optional, SemVer } from '../../fields/fields.js';
import { GatePolicy } from '../../versions.js';
import { FieldProblem } from './test-run-results.js';

class JudgeVersion {
  @OneOf(['WORKFLOW', 'AGENT']) consumer_kind!: 'WORKFLOW' | 'AGENT';
  @Id() consumer_id!: number;
  @SemVer() version!: string;
  @Nested(() => GatePolicy) policy!: GatePolicy;
}
/** The verdict of a release gate; each unmet condition names its field (api.md 3.7). */
export class ReleaseVerdict {
  @Flag() passed!: boolean;
  @ListOf(() => FieldProblem) unmet!: FieldProblem[];
  @Id() @Optional() test_run_id?: number;
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
  },
);
