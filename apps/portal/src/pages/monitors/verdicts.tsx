import { useState } from 'preact/hooks';
import type { ListedMonitorRun, MonitorsListAllRunsInput } from '@signalbox/sdk';
import { usePortal } from '../../api/portal.js';
import { AddToTestSet } from '../../parts/add-to-test-set.js';
import { Empty } from '../../parts/empty.js';
import { Field } from '../../parts/form.js';
import { Lamp } from '../../parts/lamp.js';
import { useQueryParams } from '../../parts/param.js';
import { type Column, Rows } from '../../parts/rows.js';
import { useSelection } from '../../parts/rows/selection.js';
import { SidePanel } from '../../parts/side-panel.js';
import { Time } from '../../parts/time.js';
import { duration, money, utcDay } from '../../rules/formats.js';
import { Verdict } from './verdict.js';

const DAY_MS = 86_400_000;
const FILTERS = ['outcome', 'day', 'version', 'text', 'shadow'];

const COLUMNS: Column<ListedMonitorRun>[] = [
  {
    title: 'Outcome',
    width: '160px',
    cell: ({ outcome, failure_class, shadow }) => (
      <>
        <Lamp state={outcome} failureClass={outcome === 'ERROR' ? failure_class : null} />
        {shadow ? ' shadow' : ''}
      </>
    ),
  },
  {
    title: 'Of',
    width: '2fr',
    cell: ({ source_type, source_id }) => `${source_type.replace('_', ' ')} ${source_id.slice(0, 8)}`,
  },
  { title: 'Version', width: '90px', cell: ({ version_number }) => version_number },
  {
    title: 'Took',
    width: '90px',
    isMinor: true,
    isNumber: true,
    cell: ({ runner_duration_ms }) => duration(runner_duration_ms),
  },
  { title: 'Cost', width: '90px', isMinor: true, isNumber: true, cell: ({ cost }) => money(cost) },
  { title: 'When', width: '110px', cell: ({ date_created }) => <Time at={date_created} /> },
];

const sourceOf = ({ source_type, source_id }: ListedMonitorRun) => ({
  source_type: source_type.toUpperCase() as 'REQUEST' | 'WORKFLOW_RUN' | 'AGENT_TASK',
  source_id,
});

const keyOf = ({ id }: ListedMonitorRun): string => String(id);

export function Verdicts({ id }: { id: number }) {
  const { api, can } = usePortal();
  const [params, change] = useQueryParams();
  const [peeked, setPeeked] = useState<ListedMonitorRun | null>(null);
  const [adds, setAdds] = useState<ReturnType<typeof sourceOf>[] | null>(null);
  const selection = useSelection(keyOf);
  const [outcome, day, version, text, shadow] = FILTERS.map((name) => params.get(name) ?? '');
  const from = Number(day);
  const filters: MonitorsListAllRunsInput = {
    monitor_id: id,
    ...(outcome ? { outcome: [outcome as 'FAULT'] } : {}),
    ...(day ? { start_date: from, end_date: from + DAY_MS } : {}),
    ...(version ? { version } : {}),
    ...(text ? { text } : {}),
    ...(shadow ? { shadow: shadow === 'true' } : {}),
  };
  const isNarrow = FILTERS.some((name) => params.has(name));
  const clear = (): void => change(Object.fromEntries(FILTERS.map((name) => [name, ''])));
  const chosen = [...selection.chosen.values()];
  return (
    <div class={`split ${peeked === null ? '' : 'open'}`}>
      <div class="stack">
        <div class="bar">
          <Field label="Outcome">
            <select value={outcome} onChange={({ currentTarget: { value } }) => change({ outcome: value })}>
              <option value="">any</option>
              <option value="FAULT">fault</option>
              <option value="WARNING">warning</option>
              <option value="PASS">pass</option>
              <option value="ERROR">not judged: an error</option>
            </select>
          </Field>
          <Field label="Of the shadow">
            <select value={shadow} onChange={({ currentTarget: { value } }) => change({ shadow: value })}>
              <option value="">and others</option>
              <option value="true">only</option>
              <option value="false">not</option>
            </select>
          </Field>
          <Field label="Reason contains">
            <input
              type="search"
              defaultValue={text ?? ''}
              onChange={({ currentTarget: { value } }) => change({ text: value.trim() })}
            />
          </Field>
          {day && <button onClick={() => change({ day: '' })}>{`Only ${utcDay(from)} ✕`}</button>}
          {version && <button onClick={() => change({ version: '' })}>{`Only version ${version} ✕`}</button>}
        </div>
        <Rows<ListedMonitorRun>
          label="Verdicts"
          name={['monitor runs', filters]}
          columns={COLUMNS}
          live="newest"
          load={(offset, limit, signal) => api.monitors.listAllRuns({ ...filters, offset, limit }, { signal })}
          open={setPeeked}
          peek={{ isOpen: peeked !== null, show: setPeeked }}
          selection={selection}
          actions={
            chosen.length > 0 &&
            can('write') && (
              <button onClick={() => setAdds(chosen.map(sourceOf))}>{`Add ${chosen.length} to test set`}</button>
            )
          }
          empty={
            isNarrow ? (
              <Empty title="No verdict matches.">
                <button onClick={clear}>Clear filters</button>
              </Empty>
            ) : (
              <Empty title="Nothing has been judged yet." />
            )
          }
        />
        <p class="soft keys-line">
          <kbd>J</kbd> <kbd>K</kbd> move <kbd>Space</kbd> why <kbd>X</kbd> choose
        </p>
      </div>
      {peeked !== null && (
        <SidePanel title="Verdict" close={() => setPeeked(null)}>
          <Verdict key={peeked.id} run={peeked} addToTestSet={() => setAdds([sourceOf(peeked)])} />
        </SidePanel>
      )}
      {adds && <AddToTestSet sources={adds} close={() => setAdds(null)} />}
    </div>
  );
}
