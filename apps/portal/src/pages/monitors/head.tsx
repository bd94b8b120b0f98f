import { useState } from 'preact/hooks';
import type { Monitor } from '@signalbox/sdk';
import { useQueryClient } from '@tanstack/preact-query';
import { usePortal } from '../../api/portal.js';
import { Fact, Facts } from '../../parts/facts.js';
import { Failure } from '../../parts/failure.js';
import { Lamp } from '../../parts/lamp.js';
import { Loaded } from '../../parts/loaded.js';
import { type Increment, PublishDialog } from '../../parts/publish-dialog.js';
import { Time } from '../../parts/time.js';
import { money } from '../../rules/formats.js';
import { TargetName } from './target-name.js';

export function Head({ monitor, changed }: { monitor: Monitor; changed: () => void }) {
  const { api, can, say } = usePortal();
  const cache = useQueryClient();
  const [error, setError] = useState<unknown>(null);
  const [isPublishing, setIsPublishing] = useState(false);
  const { id: monitor_id, name, status, description, targets = [] } = monitor;
  const act = (call: Promise<unknown>): void =>
    void call
      .then(() => {
        setError(null);
        changed();
      })
      .catch(setError);
  async function publish(version_notes: string, increment: Increment): Promise<void> {
    const { version_number } = await api.monitors.publishVersion({ monitor_id, version_notes, increment });
    setIsPublishing(false);
    say(`Published ${version_number}.`);
    changed();
    await cache.invalidateQueries({ queryKey: ['versions', 'monitor', monitor_id] });
  }
  const allowed = can('write');
  return (
    <>
      <div class="head">
        <h1>{name}</h1>
        {status === 'ACTIVE' ? (
          <button aria-disabled={!allowed} onClick={() => allowed && act(api.monitors.pause({ monitor_id }))}>
            Pause
          </button>
        ) : (
          <button aria-disabled={!allowed} onClick={() => allowed && act(api.monitors.activate({ monitor_id }))}>
            Activate
          </button>
        )}
        <button class="primary" aria-disabled={!allowed} onClick={() => allowed && setIsPublishing(true)}>
          Publish
        </button>
      </div>
      <Failure error={error} />
      {description && <p class="soft">{description}</p>}
      <Facts>
        <Lamp state={status} />
        <Fact label="version">{monitor.default_release ?? monitor.latest_version_number ?? 'not published'}</Fact>
        {monitor.has_unpublished_changes && <Fact label="draft">has unpublished changes</Fact>}
        {monitor.shadow_version !== null && <Fact label="shadow">{monitor.shadow_version}</Fact>}
        <Fact label="watches">
          {targets.length === 0 && 'nothing'}
          {targets.map((target, n) => (
            <span key={target.id}>
              {n > 0 && ', '}
              <TargetName target={target} /> ({target.sample_rate} %)
            </span>
          ))}
        </Fact>
        <Fact label="last verdict">
          <Time at={monitor.last_run_at} />
        </Fact>
        <Budget monitor={monitor} />
      </Facts>
      {isPublishing && (
        <PublishDialog latest={monitor.latest_version_number} publish={publish} close={() => setIsPublishing(false)} />
      )}
    </>
  );
}

function Budget({ monitor: { id: monitor_id, config } }: { monitor: Monitor }) {
  const { api } = usePortal();
  const cap = config.limits?.max_cost_per_day ?? null;
  return (
    <Loaded
      name={['monitor metrics', monitor_id]}
      load={(signal) => api.monitors.getMetrics({ monitor_id }, { signal })}
      pollMs={30_000}
    >
      {({ cost_today, budget_exhausted }) => (
        <Fact label="cost today">
          {money(cost_today)}
          {cap !== null && ` of ${money(cap)}`}
          {budget_exhausted && ', nothing is judged until 00:00 UTC'}
        </Fact>
      )}
    </Loaded>
  );
}
