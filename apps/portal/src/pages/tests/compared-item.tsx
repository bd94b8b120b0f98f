import { ApiError, type ComparedItem, type RunItem, type TestRun, type TestSetItem } from '@signalbox/sdk';
import { usePortal } from '../../api/portal.js';
import { JsonView } from '../../parts/json-view.js';
import { Loaded } from '../../parts/loaded.js';
import { answerText } from '../../rules/verdict.js';
import { Answers } from './answer-diff.js';
import { Asked } from './asked.js';
import { CriteriaResults } from './criteria-results.js';
import { Accept } from './run-item.js';

const EXPECTED = { baseline: 'Expected', sub: 'Expected, by the override', none: 'Expected' } as const;

interface Props {
  item: ComparedItem;
  base: TestRun;
  run: TestRun;
  changed: () => void;
  accepted: () => void;
}

export function Compared({ item, base, run, changed, accepted }: Props) {
  const { api } = usePortal();
  const find = async ({ id }: TestRun, signal: AbortSignal): Promise<RunItem | null> => {
    const item_id = item.results[String(id)]?.run_item_id;
    return item_id === undefined ? null : api.testRuns.getRunItem({ id, item_id }, { signal });
  };
  /** Null when it was deleted since. */
  const asked = (signal: AbortSignal): Promise<TestSetItem | null> =>
    api.testSets
      .getItem({ test_set_id: run.test_set_id, item_id: item.test_set_item_id }, { signal })
      .catch((error: unknown) => {
        if (error instanceof ApiError && error.status === 404) return null;
        throw error;
      });
  return (
    <Loaded
      name={['answers', item.test_set_item_id, base.id, run.id, run.scored_at]}
      load={(signal) => Promise.all([find(base, signal), find(run, signal), asked(signal)])}
    >
      {([older, newer, of]) => (
        <>
          {of ? <Asked input={of.input} /> : <JsonView label="Sent" value={(newer ?? older)?.adapted_input} />}
          <p class="soft">{EXPECTED[newer?.expectation_source ?? 'none']}</p>
          <pre class="json" tabIndex={0} aria-label="Expected">
            {answerText(newer?.expected_output_used) ?? '(nothing)'}
          </pre>
          <Answers older={answerOf(base, older)} newer={answerOf(run, newer)} />
          <CriteriaResults
            runs={[
              { title: `Run ${base.id}`, item: older },
              { title: `Run ${run.id}`, item: newer },
            ]}
          />
          {newer && <Accept run={run} item={newer} close={accepted} changed={changed} />}
        </>
      )}
    </Loaded>
  );
}

const answerOf = ({ id }: TestRun, given: RunItem | null) => ({
  title: `Run ${id}`,
  text: given?.error_message ?? answerText(given?.actual_output) ?? '(none)',
});
