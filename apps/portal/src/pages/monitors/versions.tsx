import { useState } from 'preact/hooks';
import type { Monitor } from '@signalbox/sdk';
import { Link } from 'wouter-preact';
import { usePortal } from '../../api/portal.js';
import { Bars } from '../../parts/bars.js';
import { Dialog } from '../../parts/dialog.js';
import { Empty } from '../../parts/empty.js';
import { Failure } from '../../parts/failure.js';
import { Loaded } from '../../parts/loaded.js';
import { Question } from '../../parts/question.js';
import { Table } from '../../parts/table.js';
import { Time } from '../../parts/time.js';
import { bucketsOf, faultRate, firstDay, sumOf } from '../../rules/activity.js';
import { count, percent } from '../../rules/formats.js';
import { Difference } from '../releases/difference.js';
import { DAYS } from './activity.js';

export function Versions({ monitor, changed }: { monitor: Monitor; changed: () => void }) {
  const { api, can, say } = usePortal();
  const [compared, setCompared] = useState<string | null>(null);
  const [restored, setRestored] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  const { id: monitor_id, shadow_version: shadow } = monitor;
  const allowed = can('write');
  const setShadow = (version: string | null): void =>
    void api.monitors
      .update({ monitor_id, shadow_version: version })
      .then(() => {
        setError(null);
        changed();
      })
      .catch(setError);
  async function restore(version: string): Promise<void> {
    await api.monitors.restoreVersion({ monitor_id, version });
    say(`The draft is ${version} again.`);
    changed();
  }
  return (
    <>
      <Failure error={error} />
      <Loaded
        name={['versions', 'monitor', monitor_id, monitor.latest_version_number]}
        load={(signal) => api.monitors.listVersions({ monitor_id, limit: 100 }, { signal }).all()}
      >
        {(versions) =>
          versions.length === 0 ? (
            <Empty title="Nothing is published. «Publish» freezes the draft into version 1.0.0, and only versions judge." />
          ) : (
            <Table label="Versions" columns={['Version', 'Notes', 'Published']} actions>
              {versions.map(({ version_number: version, version_notes, date_created, is_latest }) => (
                <tr key={version}>
                  <td>
                    {version} {is_latest && <span class="soft">latest</span>}{' '}
                    {version === shadow && <span class="soft">in the shadow</span>}
                  </td>
                  <td>{version_notes || '–'}</td>
                  <td>
                    <Time at={date_created} />
                  </td>
                  <td class="actions">
                    <button onClick={() => setCompared(version)}>Compare with the draft</button>
                    <button aria-disabled={!allowed} onClick={() => allowed && setRestored(version)}>
                      Restore
                    </button>
                    <button
                      aria-disabled={!allowed}
                      onClick={() => allowed && setShadow(version === shadow ? null : version)}
                    >
                      {version === shadow ? 'End the shadow' : 'Judge in the shadow'}
                    </button>
                  </td>
                </tr>
              ))}
            </Table>
          )
        }
      </Loaded>
      <ByVersion monitor={monitor} />
      {compared !== null && (
        <Dialog title={`${compared} and the draft`} close={() => setCompared(null)}>
          <Loaded
            name={['monitor difference', monitor_id, compared, monitor.date_updated]}
            load={(signal) => api.monitors.diffVersions({ monitor_id, from: compared }, { signal })}
          >
            {(diff) => <Difference diff={diff} />}
          </Loaded>
        </Dialog>
      )}
      {restored !== null && (
        <Question
          title={`Restore ${restored}?`}
          action="Restore it"
          act={() => restore(restored)}
          close={() => setRestored(null)}
        >
          <p>The draft becomes a copy of {restored}. Versions and releases stay as they are.</p>
        </Question>
      )}
    </>
  );
}

/** The same days for each version, including the shadow one, on one scale. */
function ByVersion({ monitor: { id: monitor_id, shadow_version } }: { monitor: Monitor }) {
  const { api } = usePortal();
  const load = async (signal: AbortSignal) => {
    const to = Date.now();
    const from = firstDay(to, DAYS);
    const asked = { monitor_id, bucket: 'day' as const, group_by: 'version' as const, start_date: from };
    const { series = [] } = await api.monitors.getActivity(asked, { signal });
    return series.map(({ key, label, points }) => ({ key, label, buckets: bucketsOf(points, 'day', from, to) }));
  };
  return (
    <section class="card" aria-label="Versions compared">
      <h2>{`What each version found in ${DAYS} days`}</h2>
      {shadow_version === null && (
        <p class="soft">A version in the shadow judges the same samples; its verdicts count nowhere else.</p>
      )}
      <Loaded name={['activity by version', monitor_id]} load={load} pollMs={10_000}>
        {(series) => {
          if (series.length === 0) return <p class="soft">Nothing was judged.</p>;
          const most = Math.max(1, ...series.flatMap(({ buckets }) => buckets.map(({ total }) => total)));
          return (
            <Table
              label="Verdicts by version"
              columns={['Version', 'By day', 'Judged', 'Faults', 'Warnings', 'Errors']}
            >
              {series.map(({ key, label, buckets }) => {
                const sum = sumOf(buckets);
                return (
                  <tr key={key}>
                    <td>
                      <Link href={`/monitors/${monitor_id}?${verdictsOf(key)}`}>{label}</Link>
                    </td>
                    <td>
                      <Bars label={`Verdicts of ${label}`} buckets={buckets} most={most} isSmall />
                    </td>
                    <td>{count(sum.total - sum.error)}</td>
                    <td>{percent(faultRate(sum))}</td>
                    <td>{count(sum.warning)}</td>
                    <td>{count(sum.error)}</td>
                  </tr>
                );
              })}
            </Table>
          );
        }}
      </Loaded>
    </section>
  );
}

/** The key says whether the version judged as shadow. */
function verdictsOf(key: string): string {
  const [version = '', mark] = key.split('/');
  return new URLSearchParams({ version, shadow: String(mark === 'shadow') }).toString();
}
