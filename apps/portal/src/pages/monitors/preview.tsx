import { useEffect, useState } from 'preact/hooks';
import type { MonitorConfig, MonitorPreview } from '@signalbox/sdk';
import { useQuery } from '@tanstack/preact-query';
import { problemOf } from '../../api/problems.js';
import { usePortal } from '../../api/portal.js';
import { Field } from '../../parts/form.js';
import { JsonView } from '../../parts/json-view.js';
import { Lamp } from '../../parts/lamp.js';
import { duration } from '../../rules/formats.js';
import { readObject } from '../../rules/monitor-draft.js';
import { Reason } from './reason.js';
import type { Target } from './target-fields.js';

/** Pause in typing after which a preview is requested. */
const PAUSE_MS = 400;

function useRested<T>(value: T): T {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return rested;
}

export function useSample(target: Target | null) {
  const { api } = usePortal();
  return useQuery({
    queryKey: ['sample', target],
    queryFn: ({ signal }) => api.monitors.sampleTarget(target ?? { target_type: 'agent', target_id: 0 }, { signal }),
    enabled: target !== null,
  });
}

/** Conditions alone are evaluated again as the text changes; models and workflows cost money, so they need a button. */
export function Preview({ config, target }: { config: MonitorConfig | null; target: Target | null }) {
  const { can } = usePortal();
  const sample = useSample(target);
  const [edited, setEdited] = useState<string | null>(null);
  const text = edited ?? (sample.data ? JSON.stringify(sample.data.payload, null, 2) : '{}');
  const read = readObject<Record<string, unknown>>(text);
  if (!can('invoke')) return <p class="soft">A preview needs a key with the scope «invoke».</p>;
  return (
    <section class="card" aria-label="Preview">
      <h2>Preview</h2>
      <Field
        label="Payload"
        hint={
          sample.data
            ? 'The newest of what it watches; change it and see.'
            : sample.error
              ? `There is no sample: ${problemOf(sample.error)}`
              : 'Nothing was recorded yet; write one as it will be.'
        }
      >
        <textarea
          class="mono"
          rows={8}
          spellcheck={false}
          value={text}
          onInput={({ currentTarget }) => setEdited(currentTarget.value)}
        />
      </Field>
      {'problem' in read ? (
        <p class="error">{read.problem}</p>
      ) : (
        config && <Judged config={config} payload={read.value} />
      )}
    </section>
  );
}

function Judged({ config, payload }: { config: MonitorConfig; payload: Record<string, unknown> }) {
  const { api } = usePortal();
  const [asked, setAsked] = useState<string | null>(null);
  const now = JSON.stringify([config, payload]);
  const rested = useRested(now);
  const isFree = config.runner?.resource_type === 'direct';
  const wanted = isFree ? rested : asked;
  const preview = useQuery({
    queryKey: ['monitor preview', wanted],
    queryFn: ({ signal }) => {
      const [given, of] = JSON.parse(wanted ?? '[]') as [MonitorConfig, Record<string, unknown>];
      return api.monitors.previewConfig({ config: given, payload: of }, { signal });
    },
    enabled: wanted !== null,
    placeholderData: (before) => before,
    retry: false,
    staleTime: Infinity,
  });
  return (
    <>
      {!isFree && (
        <div>
          <button onClick={() => setAsked(now)}>{preview.isFetching ? 'One moment …' : 'Judge it'}</button>
        </div>
      )}
      <div role="status" class="stack">
        {preview.error ? (
          <p class="error">{problemOf(preview.error)}</p>
        ) : (
          preview.data && <Outcome preview={preview.data} config={config} />
        )}
      </div>
    </>
  );
}

function Outcome({ preview, config }: { preview: MonitorPreview; config: MonitorConfig }) {
  const { outcome, failure_class, error_message, resolution_trace, runner_type, runner_output } = preview;
  return (
    <>
      <p>
        It would be <Lamp state={outcome} failureClass={outcome === 'ERROR' ? failure_class : null} />{' '}
        <span class="soft">{duration(preview.runner_duration_ms)}</span>
      </p>
      {error_message && <p class="why odd">{error_message}</p>}
      <Reason config={config} trace={resolution_trace} />
      {runner_type !== 'direct' && <JsonView label="What the runner said" value={runner_output} />}
    </>
  );
}
