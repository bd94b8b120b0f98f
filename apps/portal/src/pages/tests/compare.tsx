import { useState } from 'preact/hooks';
import type { ComparedItem, RunComparison, RunItem, TestRun } from '@signalbox/sdk';
import { Link, useSearch } from 'wouter-preact';
import { usePortal } from '../../api/portal.js';
import { Empty } from '../../parts/empty.js';
import { Lamp } from '../../parts/lamp.js';
import { Loaded } from '../../parts/loaded.js';
import { useParam } from '../../parts/param.js';
import { Table } from '../../parts/table.js';
import { Tabs } from '../../parts/tabs.js';
import { duration, money, percent } from '../../rules/formats.js';
import { answerText, changeOf, verdictWords } from '../../rules/verdict.js';
import { Accept } from './run-item.js';
import { consumerName } from './runs.js';

const DIRECTIONS = ['worse', 'better', 'changed', 'error'] as const;
type Direction = (typeof DIRECTIONS)[number];
const PAGE = 50;

/** Two runs of one set: which is better, and in which items they differ. */
export function Compare() {
  const { api } = usePortal();
  const params = new URLSearchParams(useSearch());
  const [base, run] = [Number(params.get('base')), Number(params.get('run'))];
  if (!base || !run) return <Empty title="Choose two runs of one test set to compare." />;
  const load = async (signal: AbortSignal) =>
    Promise.all([
      api.testRuns.get({ id: base }, { signal }),
      api.testRuns.get({ id: run }, { signal }),
      api.testRuns.compare({ test_run_ids: [base, run], limit: 1, confidence: 0.95 }, { signal }),
    ]);
  return (
    <div class="page">
      <div class="head">
        <h1>
          Run {run} against run {base}
        </h1>
      </div>
      <Loaded name={['compare', base, run]} load={load}>
        {([older, newer, comparison], reload) => (
          <>
            <Figures runs={[older, newer]} comparison={comparison} />
            <Changes base={older} run={newer} changed={reload} />
          </>
        )}
      </Loaded>
    </div>
  );
}

function Figures({ runs, comparison }: { runs: [TestRun, TestRun]; comparison: RunComparison }) {
  return (
    <>
      {(comparison.differences ?? []).map((difference) => (
        <p key={difference.criteria_id} class={`why ${TONES[difference.verdict]}`} role="status">
          <b>{difference.criteria_id === null ? '' : `${difference.name}: `}</b>
          {verdictWords(difference)} <span class="soft">{difference.method}</span>
        </p>
      ))}
      <Table label="Figures" columns={['Run', 'Against', 'Match', 'Errors', 'p50', 'p95', 'Cost']}>
        {runs.map((run) => (
          <tr key={run.id}>
            <td>
              <Link href={`/test-runs/${run.id}`}>{run.id}</Link>
            </td>
            <td>{consumerName(run)}</td>
            <td>{percent(run.match_rate)}</td>
            <td>{run.failed_items}</td>
            <td>{duration(run.duration_ms?.p50)}</td>
            <td>{duration(run.duration_ms?.p95)}</td>
            <td>{money(run.cost)}</td>
          </tr>
        ))}
      </Table>
    </>
  );
}

function Changes({ base, run, changed }: { base: TestRun; run: TestRun; changed: () => void }) {
  const { api } = usePortal();
  const [direction, setDirection] = useParam('direction', 'worse');
  const [offset, setOffset] = useState(0);
  const test_run_ids = [base.id, run.id];
  return (
    <Tabs
      label="Items"
      names={DIRECTIONS}
      chosen={direction as Direction}
      choose={(name) => {
        setOffset(0);
        setDirection(name);
      }}
    >
      <Loaded
        name={['compare', base.id, run.id, run.scored_at, direction, offset]}
        load={(signal) =>
          api.testRuns.compare({ test_run_ids, direction: direction as Direction, offset, limit: PAGE }, { signal })
        }
      >
        {({ items, total }) =>
          items.length === 0 ? (
            <Empty title={EMPTY[direction as Direction]} />
          ) : (
            <>
              <Stepper items={items} base={base} run={run} changed={changed} />
              {total > PAGE && (
                <div class="bar">
                  <button aria-disabled={offset === 0} onClick={() => setOffset(Math.max(0, offset - PAGE))}>
                    Earlier
                  </button>
                  <span class="soft">
                    {offset + 1} to {offset + items.length} of {total}
                  </span>
                  <button
                    aria-disabled={offset + PAGE >= total}
                    onClick={() => offset + PAGE < total && setOffset(offset + PAGE)}
                  >
                    Later
                  </button>
                </div>
              )}
            </>
          )
        }
      </Loaded>
    </Tabs>
  );
}

const TONES = { worse: '', better: 'fine', no_difference_shown: 'calm', too_few: 'calm' } as const;

const EMPTY: Record<Direction, string> = {
  worse: 'No item got worse.',
  better: 'No item got better.',
  changed: 'Every item ended as before.',
  error: 'No item ended in an error.',
};

/** One item at a time; N and P go through them. */
function Stepper({
  items,
  base,
  run,
  changed,
}: {
  items: ComparedItem[];
  base: TestRun;
  run: TestRun;
  changed: () => void;
}) {
  const [at, setAt] = useState(0);
  const item = items[Math.min(at, items.length - 1)];
  if (!item) return null;
  const move = (to: number): void => setAt(Math.max(0, Math.min(items.length - 1, to)));
  const onKeyDown = ({ key }: KeyboardEvent): void => {
    if (key === 'n') move(at + 1);
    if (key === 'p') move(at - 1);
  };
  return (
    <section class="card" aria-label="Compared item" tabIndex={0} onKeyDown={onKeyDown}>
      <div class="head">
        <h2>Item {item.test_set_item_id}</h2>
        <Lamp state={LAMPS[changeOf(item, base.id, run.id)]} />
        <span class="soft">
          {at + 1} of {items.length}
        </span>
        <button onClick={() => move(at - 1)} aria-disabled={at === 0}>
          Previous <kbd>P</kbd>
        </button>
        <button onClick={() => move(at + 1)} aria-disabled={at === items.length - 1}>
          Next <kbd>N</kbd>
        </button>
      </div>
      <Answers item={item} base={base} run={run} changed={changed} />
    </section>
  );
}

/** Why an item does not pass, in each run. */
function Unmet({ results, base, run }: { results: ComparedItem['results']; base: TestRun; run: TestRun }) {
  const rows = [base, run].flatMap(({ id }) =>
    (results[String(id)]?.unmet ?? []).map((unmet) => ({ ...unmet, run: id })),
  );
  if (rows.length === 0) return null;
  return (
    <Table label="Criteria that are not met" columns={['Run', 'Criterion', 'Result', 'Why']}>
      {rows.map((unmet) => (
        <tr key={`${unmet.run}/${unmet.criteria_id}`}>
          <td>{unmet.run}</td>
          <td>{unmet.name}</td>
          <td>
            <Lamp state={unmet.passed === null ? 'ERROR' : 'FAIL'} />
          </td>
          <td>{unmet.description}</td>
        </tr>
      ))}
    </Table>
  );
}

const LAMPS = { worse: 'WORSE', better: 'BETTER', same: 'SAME', error: 'ERROR' } as const;

function Answers({
  item,
  base,
  run,
  changed,
}: {
  item: ComparedItem;
  base: TestRun;
  run: TestRun;
  changed: () => void;
}) {
  const { api } = usePortal();
  const find = async ({ id }: TestRun, signal: AbortSignal): Promise<RunItem | null> => {
    const item_id = item.results[String(id)]?.run_item_id;
    return item_id === undefined ? null : api.testRuns.getRunItem({ id, item_id }, { signal });
  };
  return (
    <Loaded
      name={['answers', item.test_set_item_id, base.id, run.id, run.scored_at]}
      load={(signal) => Promise.all([find(base, signal), find(run, signal)])}
    >
      {([older, newer]) => (
        <>
          <p class="soft">Expected</p>
          <pre class="json" tabIndex={0} aria-label="Expected">
            {answerText(newer?.expected_output_used) ?? '(nothing)'}
          </pre>
          <div class="columns">
            {[older, newer].map((each, n) => (
              <div class="stack" key={n}>
                <p class="soft">{n === 0 ? `Run ${base.id}` : `Run ${run.id}`}</p>
                <pre class="json" tabIndex={0} aria-label={n === 0 ? 'Older answer' : 'Newer answer'}>
                  {each?.error_message ?? answerText(each?.actual_output) ?? '(none)'}
                </pre>
              </div>
            ))}
          </div>
          <Unmet results={item.results} base={base} run={run} />
          {newer && <Accept run={run} item={newer} close={() => undefined} changed={changed} />}
        </>
      )}
    </Loaded>
  );
}
