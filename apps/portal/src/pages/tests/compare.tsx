import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { ComparedItem, RunComparison, Signalbox, TestRun } from '@signalbox/sdk';
import { Link, useSearch } from 'wouter-preact';
import { usePortal } from '../../api/portal.js';
import { Empty } from '../../parts/empty.js';
import { useLostFocus } from '../../parts/focus.js';
import { usePageKeys } from '../../parts/keys.js';
import { Lamp } from '../../parts/lamp.js';
import { Loaded } from '../../parts/loaded.js';
import { useParam } from '../../parts/param.js';
import { Table } from '../../parts/table.js';
import { Tabs } from '../../parts/tabs.js';
import { duration, money, percent } from '../../rules/formats.js';
import { changeOf, testWords, verdictWords } from '../../rules/verdict.js';
import { Compared } from './compared-item.js';
import { isUnderWay } from './run.js';
import { RunAgain } from './run-again.js';
import { useConsumerName } from './runs.js';

const DIRECTIONS = ['worse', 'better', 'changed', 'error'] as const;
type Direction = (typeof DIRECTIONS)[number];
const PAGE = 50;
const POLL_MS = 1000;

export function Compare() {
  const { api } = usePortal();
  const params = new URLSearchParams(useSearch());
  const [base, run] = [Number(params.get('base')), Number(params.get('run'))];
  if (!base || !run) return <NothingChosen />;
  const load = async (signal: AbortSignal) =>
    Promise.all([
      api.testRuns.get({ id: base }, { signal }),
      api.testRuns.get({ id: run }, { signal }),
      api.testRuns.compare({ test_run_ids: [base, run], limit: 1, confidence: 0.95 }, { signal }),
      countsOf(api, [base, run], signal),
    ]);
  return (
    <div class="page">
      <div class="head">
        <h1>
          Run {run} against run {base}
        </h1>
      </div>
      <Loaded
        name={['compare', base, run]}
        load={load}
        pollMs={(data) => (data && isUnderWay(data[1]) ? POLL_MS : false)}
      >
        {([older, newer, comparison, counts], reload) => (
          <>
            <Figures runs={[older, newer]} comparison={comparison} />
            <Changes base={older} run={newer} counts={counts} changed={reload} />
          </>
        )}
      </Loaded>
    </div>
  );
}

type Counts = Record<Direction, number>;

async function countsOf(api: Signalbox, test_run_ids: number[], signal: AbortSignal): Promise<Counts> {
  const totals = await Promise.all(
    DIRECTIONS.map(async (direction) => {
      const { total } = await api.testRuns.compare({ test_run_ids, direction, limit: 1 }, { signal });
      return [direction, total];
    }),
  );
  return Object.fromEntries(totals) as Counts;
}

const NothingChosen = () => (
  <div class="page">
    <div class="head">
      <h1>Compare</h1>
    </div>
    <Empty title="Choose two runs of one test set to compare.">
      <Link href="/test-runs">All test runs</Link>
    </Empty>
  </div>
);

function Figures({ runs, comparison }: { runs: [TestRun, TestRun]; comparison: RunComparison }) {
  const consumerName = useConsumerName();
  return (
    <>
      {(comparison.differences ?? []).map((difference) => (
        <p key={difference.criteria_id} class={`why ${TONES[difference.verdict]}`} role="status">
          <b>{difference.criteria_id === null ? '' : `${difference.name}: `}</b>
          {verdictWords(difference)} <span class="soft">{testWords(difference)}</span>
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

function Changes({ base, run, counts, changed }: { base: TestRun; run: TestRun; counts: Counts; changed: () => void }) {
  const { api, can } = usePortal();
  const [direction, setDirection] = useParam('direction', 'worse');
  const [offset, setOffset] = useState(0);
  const [isAgain, setIsAgain] = useState(false);
  const test_run_ids = [base.id, run.id];
  return (
    <Tabs
      label="Items"
      names={DIRECTIONS}
      chosen={direction as Direction}
      counts={counts}
      choose={(name) => {
        setOffset(0);
        setDirection(name);
      }}
    >
      {direction === 'error' && run.failed_items > 0 && run.status === 'COMPLETED' && can('invoke') && (
        <div>
          <button onClick={() => setIsAgain(true)}>{`Run the ${run.failed_items} errors of ${run.id} again`}</button>
        </div>
      )}
      {isAgain && <RunAgain run={run} close={() => setIsAgain(false)} started={changed} />}
      <Loaded
        key={direction}
        keeps
        name={['compare', base.id, run.id, run.scored_at, direction, offset]}
        load={(signal) =>
          api.testRuns.compare({ test_run_ids, direction: direction as Direction, offset, limit: PAGE }, { signal })
        }
      >
        {({ items, total }) => (
          <Items isEmpty={items.length === 0} empty={EMPTY[direction as Direction]}>
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
          </Items>
        )}
      </Loaded>
    </Tabs>
  );
}

/** Takes the focus over from the last item. */
function Items({ isEmpty, empty, children }: { isEmpty: boolean; empty: string; children: ComponentChildren }) {
  const box = useLostFocus<HTMLDivElement>(isEmpty);
  return (
    <div ref={box} tabIndex={-1}>
      {isEmpty ? <Empty title={empty} /> : children}
    </div>
  );
}

const TONES = { worse: '', better: 'fine', no_difference_shown: 'calm', too_few: 'calm' } as const;

const EMPTY: Record<Direction, string> = {
  worse: 'No item got worse.',
  better: 'No item got better.',
  changed: 'Every item ended as before.',
  error: 'No item ended in an error.',
};

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
  const shown = Math.min(at, items.length - 1);
  const item = items[shown];
  const section = useRef<HTMLElement>(null);
  const move = (to: number): void => setAt(Math.max(0, Math.min(items.length - 1, to)));
  usePageKeys({
    n: { does: 'next item', act: () => move(shown + 1) },
    p: { does: 'item before', act: () => move(shown - 1) },
  });
  if (!item) return null;
  return (
    <section class="card" aria-label="Compared item" tabIndex={-1} ref={section}>
      <div class="head">
        <h2>Item {item.test_set_item_id}</h2>
        <Lamp state={LAMPS[changeOf(item, base.id, run.id)]} />
        <span class="soft">
          {shown + 1} of {items.length}
        </span>
        <button onClick={() => move(shown - 1)} aria-disabled={shown === 0}>
          Previous <kbd>P</kbd>
        </button>
        <button onClick={() => move(shown + 1)} aria-disabled={shown === items.length - 1}>
          Next <kbd>N</kbd>
        </button>
      </div>
      <Compared item={item} base={base} run={run} changed={changed} accepted={() => section.current?.focus()} />
    </section>
  );
}

const LAMPS = { worse: 'WORSE', better: 'BETTER', same: 'SAME', error: 'ERROR' } as const;
