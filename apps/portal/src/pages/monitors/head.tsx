import { useState } from 'preact/hooks';
import type { Monitor, MonitorConfig, Signalbox } from '@signalbox/sdk';
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

export function Head({
  monitor,
  isEdited,
  changed,
}: {
  monitor: Monitor;
  /** The draft on the page is not the one that is saved. */
  isEdited: boolean;
  changed: () => void;
}) {
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
  const askToPublish = (): void =>
    isEdited ? setError(new Error('The draft is not saved: save it on «Definition» first.')) : setIsPublishing(true);
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
        <button class="primary" aria-disabled={!allowed} onClick={() => allowed && askToPublish()}>
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

/** Of the version that judges production, which the draft may differ from. */
async function dailyLimit(api: Signalbox, monitor: Monitor, signal: AbortSignal): Promise<number | null> {
  const { id: monitor_id, default_release: release_name, latest_version_number } = monitor;
  const version =
    release_name === null
      ? latest_version_number
      : (await api.monitors.getRelease({ monitor_id, release_name }, { signal })).version_number;
  if (version === null) return monitor.config.limits?.max_cost_per_day ?? null;
  const { snapshot } = await api.monitors.getVersion({ monitor_id, version }, { signal });
  return (snapshot as { config?: MonitorConfig } | undefined)?.config?.limits?.max_cost_per_day ?? null;
}

function Budget({ monitor }: { monitor: Monitor }) {
  const { api } = usePortal();
  const { id: monitor_id, default_release, latest_version_number } = monitor;
  return (
    <Loaded
      keeps
      name={['monitor metrics', monitor_id, default_release, latest_version_number]}
      load={(signal) =>
        Promise.all([api.monitors.getMetrics({ monitor_id }, { signal }), dailyLimit(api, monitor, signal)])
      }
      pollMs={30_000}
    >
      {([{ cost_today, budget_exhausted }, limit]) => (
        <Fact label="cost today">
          {money(cost_today)}
          {limit !== null && ` of ${money(limit)}`}
          {budget_exhausted && ', nothing is judged until 00:00 UTC'}
        </Fact>
      )}
    </Loaded>
  );
}
