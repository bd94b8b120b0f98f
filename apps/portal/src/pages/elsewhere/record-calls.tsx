import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { usePortal } from '../../api/portal.js';
import { Copy } from '../../parts/copy.js';
import { Failure } from '../../parts/failure.js';
import { ScopedButton } from '../../parts/scoped-button.js';

const MESSAGE = { role: 'user' as const, content: 'hello' };

const settingsOf = (origin: string): string =>
  [`OPENAI_BASE_URL=${origin}/api/v1`, 'OPENAI_API_KEY=svk_…  # a key with the scope invoke'].join('\n');

export function RecordCalls() {
  const { api } = usePortal();
  const [, go] = useLocation();
  const [error, setError] = useState<unknown>(null);
  const settings = settingsOf(location.origin);
  const send = (): void => {
    api.chat
      .create({ model: 'simulated-echo', messages: [MESSAGE] })
      .then(({ request_id }) => go(`/runs/request/${request_id}`))
      .catch(setError);
  };
  return (
    <section class="card" aria-label="Without traces: record the calls of an OpenAI client">
      <h2>Without traces: record the calls of an OpenAI client</h2>
      <p>Two settings of the client are enough; its code stays. Each call is recorded, priced and can be judged.</p>
      <pre class="json" tabIndex={0} aria-label="Settings of the client">
        {settings}
      </pre>
      <div>
        <Copy text={settings} label="Copy the settings" />
      </div>
      <p class="soft">
        A model of yours needs a provider first. The built-in model simulated-echo answers without one.
      </p>
      <Failure error={error} />
      <div>
        <ScopedButton scope="invoke" act={send}>
          Send a first call from here
        </ScopedButton>
      </div>
    </section>
  );
}
