import { useState } from 'preact/hooks';
import type { NewApiKey } from '@signalbox/sdk';
import { usePortal } from '../../api/portal.js';
import { Copy } from '../../parts/copy.js';
import { Failure } from '../../parts/failure.js';
import { Field } from '../../parts/form.js';
import { ScopedButton } from '../../parts/scoped-button.js';
import { ShownOnce } from '../../parts/shown-once.js';
import { TRACE_PROGRAMS, type TraceProgram } from '../../rules/trace-programs.js';
import { traceAddress, traceSettings } from '../../rules/trace-settings.js';

const PROGRAM = { agent_name: 'my-agent', application_name: null };

const Lines = ({ label, text }: { label: string; text: string }) => (
  <>
    <pre class="json" tabIndex={0} aria-label={label}>
      {text}
    </pre>
    <div>
      <Copy text={text} label={`Copy the ${label.toLowerCase()}`} />
    </div>
  </>
);

export function SendTraces() {
  const { api } = usePortal();
  const [program, setProgram] = useState<TraceProgram>('OpenTelemetry SDK');
  const [made, setMade] = useState<NewApiKey | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const code = TRACE_PROGRAMS[program];
  const make = (): void => {
    if (isBusy) return;
    setIsBusy(true);
    setError(null);
    api.apiKeys
      .create({ name: 'exporter', scopes: ['ingest'] })
      .then(setMade)
      .catch(setError)
      .finally(() => setIsBusy(false));
  };
  return (
    <section class="card" aria-label="Send traces">
      <h2>Send traces</h2>
      <p>
        Exporters send to <code>{traceAddress(location.origin)}/v1/traces</code>, with a key that may do nothing else.
      </p>
      <div>
        <ScopedButton scope="admin" kind="primary" act={make}>
          {isBusy ? 'One moment …' : 'Make a key for it'}
        </ScopedButton>
      </div>
      <Failure error={error} />
      <Field label="Traced with">
        <select value={program} onChange={({ currentTarget }) => setProgram(currentTarget.value as TraceProgram)}>
          {Object.keys(TRACE_PROGRAMS).map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </Field>
      <Lines label="Variables" text={traceSettings(PROGRAM, location.origin)} />
      {code !== null && <Lines label="Code" text={code} />}
      <p class="soft">
        An agent appears by itself, named by <code>gen_ai.agent.name</code> of its spans, else by the name of the
        service. Many libraries leave the texts of messages out by default; their setting that includes them is needed
        to judge what was said.
      </p>
      {made?.key && (
        <ShownOnce name="key" secret={made.key} close={() => setMade(null)}>
          <Lines label="Variables with the key" text={traceSettings(PROGRAM, location.origin, made.key)} />
        </ShownOnce>
      )}
    </section>
  );
}
