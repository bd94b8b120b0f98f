import { useState } from 'preact/hooks';
import { useQueryClient } from '@tanstack/preact-query';
import { usePortal } from '../../api/portal.js';
import { AddToTestSet } from '../../parts/add-to-test-set.js';
import { Question } from '../../parts/question.js';
import type { Selection } from '../../parts/rows/selection.js';
import { count } from '../../rules/formats.js';
import type { Family } from './family.js';

const AT_ONCE = 5;

/** A few at a time; returns the number of successes and the first problem. */
async function withAll<T>(rows: readonly T[], act: (row: T) => Promise<unknown>) {
  const left = [...rows];
  let done = 0;
  const problems: Error[] = [];
  const work = async (): Promise<void> => {
    for (let row = left.shift(); row !== undefined; row = left.shift())
      try {
        await act(row);
        done++;
      } catch (error) {
        problems.push(error instanceof Error ? error : new Error(String(error)));
      }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return { done, problem: problems[0] };
}

export function ChosenActions<T>({ family, selection }: { family: Family<T>; selection: Selection<T> }) {
  const { can, say } = usePortal();
  const cache = useQueryClient();
  const [asked, setAsked] = useState<'add' | 'rerun' | 'cancel' | null>(null);
  const rows = [...selection.chosen.values()];
  const { actions, sourceType, keyOf } = family;
  const fromHere = rows.filter((row) => !actions.isElsewhere?.(row));
  const elsewhere = rows.length - fromHere.length;
  const open = fromHere.filter(actions.isOpen);
  if (rows.length === 0) return null;

  const doWith = (chosen: readonly T[], act: (row: T) => Promise<unknown>, did: string) => async () => {
    const { done, problem } = await withAll(chosen, act);
    await cache.invalidateQueries({ queryKey: ['runs', family.label] });
    if (problem && done === 0) throw problem;
    const left = problem ? ` The others: ${problem.message}` : '';
    say(`${count(done)} of ${count(chosen.length)} ${did}.${left}`);
  };
  const ask = (what: typeof asked, scope: string) => ({
    'aria-disabled': !can(scope),
    onClick: () => can(scope) && setAsked(what),
  });
  const close = (): void => setAsked(null);
  return (
    <div class="chosen" role="group" aria-label="With those that are chosen">
      <b role="status">{count(rows.length)} chosen</b>
      <button {...ask('add', 'write')}>Add to test set</button>
      {fromHere.length > 0 ? (
        <button {...ask('rerun', 'invoke')}>Run again</button>
      ) : (
        <span class="soft">They ran elsewhere: they cannot be run again from here.</span>
      )}
      {actions.cancel && open.length > 0 && (
        <button class="danger" {...ask('cancel', 'invoke')}>
          Cancel
        </button>
      )}
      <button class="plain" onClick={selection.clear}>
        Clear
      </button>
      {asked === 'add' && (
        <AddToTestSet sources={rows.map((row) => ({ source_type: sourceType, source_id: keyOf(row) }))} close={close} />
      )}
      {asked === 'rerun' && (
        <Question
          title={`Run ${count(fromHere.length)} again?`}
          action="Run again"
          act={doWith(fromHere, actions.rerun, 'run again')}
          close={close}
        >
          <p>
            Each runs anew with the same input and version, and costs what it costs. Secrets are not known any more.
            {elsewhere > 0 && ` ${count(elsewhere)} of those chosen ran elsewhere and are left out.`}
          </p>
        </Question>
      )}
      {asked === 'cancel' && actions.cancel && (
        <Question
          title={`Cancel ${count(open.length)} that run?`}
          action="Cancel them"
          act={doWith(open, actions.cancel, 'cancelled')}
          close={close}
        >
          <p>
            What they have done stays. It cannot be taken back.
            {open.length < fromHere.length &&
              ` ${count(fromHere.length - open.length)} of those chosen have ended already.`}
          </p>
        </Question>
      )}
    </div>
  );
}
