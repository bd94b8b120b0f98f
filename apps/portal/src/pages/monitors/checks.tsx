import { useState } from 'preact/hooks';
import type { CheckRunSummary, Monitor } from '@signalbox/sdk';
import { useQueryClient } from '@tanstack/preact-query';
import { Link } from 'wouter-preact';
import { usePortal } from '../../api/portal.js';
import { Dialog } from '../../parts/dialog.js';
import { Empty } from '../../parts/empty.js';
import { Field, Form } from '../../parts/form.js';
import { Lamp } from '../../parts/lamp.js';
import { Loaded } from '../../parts/loaded.js';
import { type Column, Rows } from '../../parts/rows.js';
import { Table } from '../../parts/table.js';
import { Time } from '../../parts/time.js';
import { count, money, percent } from '../../rules/formats.js';

const doneOf = ({ matched, mismatched, error_count }: CheckRunSummary): number => matched + mismatched + error_count;

const COLUMNS: Column<CheckRunSummary>[] = [
  { title: 'Check', width: '70px', isNumber: true, cell: ({ id }) => id },
  { title: 'State', width: '130px', cell: ({ status }) => <Lamp state={status} /> },
  { title: 'Version', width: '90px', cell: ({ version_number }) => version_number },
  { title: 'Test set', width: '1fr', cell: ({ test_set_id }) => `test set ${test_set_id}` },
  {
    title: 'Judged',
    width: '110px',
    isNumber: true,
    cell: (check) => `${count(doneOf(check))} of ${count(check.total)}`,
  },
  { title: 'As expected', width: '100px', isNumber: true, cell: ({ match_rate }) => percent(match_rate) },
  { title: 'Errors', width: '70px', isNumber: true, cell: ({ error_count }) => count(error_count) },
  { title: 'Cost', width: '80px', isNumber: true, cell: ({ cost }) => money(cost) },
  { title: 'Made', width: '110px', cell: ({ date_created }) => <Time at={date_created} /> },
];

export function Checks({ monitor }: { monitor: Monitor }) {
  const { api, can } = usePortal();
  const cache = useQueryClient();
  const [isNew, setIsNew] = useState(false);
  const [opened, setOpened] = useState<number | null>(null);
  const { id: monitor_id } = monitor;
  const allowed = can('invoke') && monitor.latest_version_number !== null;
  return (
    <>
      <div>
        <button class="primary" aria-disabled={!allowed} onClick={() => allowed && setIsNew(true)}>
          New check
        </button>
      </div>
      <Rows<CheckRunSummary>
        label="Checks"
        name={['checks', monitor_id]}
        columns={COLUMNS}
        live="newest"
        load={(offset, limit, signal) => api.monitors.listChecks({ monitor_id, offset, limit }, { signal })}
        open={({ id }) => setOpened(id)}
        empty={
          <Empty
            title={
              monitor.latest_version_number === null
                ? 'Publish a version first: only versions are checked.'
                : 'No version was checked yet. A check judges the items of a test set and compares with what is expected.'
            }
          />
        }
      />
      {isNew && (
        <NewCheck
          monitorId={monitor_id}
          close={() => setIsNew(false)}
          made={(id) => {
            setIsNew(false);
            setOpened(id);
            void cache.invalidateQueries({ queryKey: ['checks', monitor_id] });
          }}
        />
      )}
      {opened !== null && <Check monitorId={monitor_id} id={opened} close={() => setOpened(null)} />}
    </>
  );
}

function NewCheck({
  monitorId: monitor_id,
  close,
  made,
}: {
  monitorId: number;
  close: () => void;
  made: (id: number) => void;
}) {
  const { api } = usePortal();
  const load = async (signal: AbortSignal) => {
    const [versions, sets] = await Promise.all([
      api.monitors.listVersions({ monitor_id, limit: 100 }, { signal }).all(),
      api.testSets.list({ limit: 100 }, { signal }).all(),
    ]);
    return { versions, sets };
  };
  return (
    <Dialog title="Check a version" close={close}>
      <Loaded name={['check choices', monitor_id]} load={load}>
        {({ versions, sets }) =>
          sets.length === 0 ? (
            <Empty title="There is no test set yet.">
              <Link href="/test-sets">Make one</Link>
            </Empty>
          ) : (
            <Form
              action="Check it"
              submit={async ({ version = '', set = '' }) =>
                made((await api.monitors.createCheck({ monitor_id, version, test_set_id: Number(set) })).id)
              }
            >
              <Field label="Version">
                <select name="version" autofocus>
                  {versions.map(({ version_number }) => (
                    <option key={version_number}>{version_number}</option>
                  ))}
                </select>
              </Field>
              <Field label="Test set" hint="Each item says in expected_outcome of its meta what is right; else a pass.">
                <select name="set">
                  {sets.map(({ id, name, item_count }) => (
                    <option value={id} key={id}>
                      {name} ({count(item_count)})
                    </option>
                  ))}
                </select>
              </Field>
            </Form>
          )
        }
      </Loaded>
    </Dialog>
  );
}

const MOST = 200;

function Check({ monitorId: monitor_id, id: check_id, close }: { monitorId: number; id: number; close: () => void }) {
  const { api } = usePortal();
  return (
    <Dialog title={`Check ${check_id}`} close={close}>
      <Loaded
        name={['check', monitor_id, check_id]}
        load={(signal) => api.monitors.getCheck({ monitor_id, check_id }, { signal })}
        pollMs={(check) => (check?.status === 'COMPLETED' ? false : 1000)}
      >
        {(check) => {
          const others = check.items.filter(({ outcome, expected_outcome }) => outcome !== expected_outcome);
          return (
            <>
              <div class="strip">
                <Lamp state={check.status} />
                <Link href={`/test-sets/${check.test_set_id}`}>Test set {check.test_set_id}</Link>
                <span role="status">
                  {count(doneOf(check))} of {count(check.total)} judged
                </span>
                <span>
                  <small>As expected</small> <b>{percent(check.match_rate)}</b>
                </span>
              </div>
              {check.status !== 'COMPLETED' && (
                <progress value={doneOf(check)} max={Math.max(1, check.total)} aria-label="Items judged" />
              )}
              {others.length === 0 ? (
                <p class="soft">No item was judged otherwise than expected.</p>
              ) : (
                <Table label="Judged otherwise" columns={['Item', 'Expected', 'Judged']}>
                  {others.slice(0, MOST).map(({ test_set_item_id: item, expected_outcome, outcome, failure_class }) => (
                    <tr key={item}>
                      <td>{item}</td>
                      <td>{expected_outcome ? <Lamp state={expected_outcome} /> : 'no outcome'}</td>
                      <td>
                        <Lamp state={outcome} failureClass={outcome === 'ERROR' ? failure_class : null} />
                      </td>
                    </tr>
                  ))}
                </Table>
              )}
              {others.length > MOST && <p class="soft">{`The first ${MOST} of ${count(others.length)}.`}</p>}
            </>
          );
        }}
      </Loaded>
    </Dialog>
  );
}
