import { usePortal } from '../../api/portal.js';
import { Bars } from '../../parts/bars.js';
import { Loaded } from '../../parts/loaded.js';
import { useQueryParams } from '../../parts/param.js';
import { activityWords, bucketsOf, firstDay, sumOf } from '../../rules/activity.js';

export const DAYS = 14;

export function Activity({ id }: { id: number }) {
  const { api } = usePortal();
  const [, change] = useQueryParams();
  const load = async (signal: AbortSignal) => {
    const to = Date.now();
    const from = firstDay(to, DAYS);
    const { points = [] } = await api.monitors.getActivity(
      { monitor_id: id, bucket: 'day', start_date: from },
      { signal },
    );
    return bucketsOf(points, 'day', from, to);
  };
  return (
    <section class="card" aria-label="Activity">
      <h2>{`Last ${DAYS} days`}</h2>
      <Loaded name={['activity', id]} load={load} pollMs={10_000}>
        {(buckets) => (
          <>
            <p role="status">{activityWords(sumOf(buckets))}</p>
            <Bars
              label="Verdicts by day"
              buckets={buckets}
              most={Math.max(...buckets.map(({ total }) => total))}
              // Verdicts of a shadow version are not counted.
              open={({ timestamp }) => change({ day: String(timestamp), shadow: 'false', tab: '' })}
            />
          </>
        )}
      </Loaded>
    </section>
  );
}
