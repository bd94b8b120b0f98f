import { useState } from 'preact/hooks';
import type { Model, Provider, ProviderTest as Tested } from '@signalbox/sdk';
import { usePortal } from '../../api/portal.js';
import { Dialog } from '../../parts/dialog.js';
import { Field, Form } from '../../parts/form.js';
import { duration } from '../../rules/formats.js';

const LISTED = 100;

function TestDialog({
  title,
  providerId,
  model,
  isFixed = false,
  close,
}: {
  title: string;
  providerId: number;
  model: string;
  isFixed?: boolean;
  close: () => void;
}) {
  const { api } = usePortal();
  const [tested, setTested] = useState<Tested | null>(null);
  async function test({ name = model }: Record<string, string>): Promise<void> {
    setTested(null);
    setTested(await api.models.testProvider({ provider_id: providerId, ...(name === '' ? {} : { model: name }) }));
  }
  return (
    <Dialog title={title} close={close}>
      <Form submit={test} action="Call it now">
        {isFixed ? (
          <p>
            One short call of <code>{model}</code> is made; it may cost a fraction of a cent.
          </p>
        ) : (
          <Field
            label="Model (optional)"
            hint="Called as well; without one, only the connection and the key are tested."
          >
            <input name="name" maxLength={200} autofocus />
          </Field>
        )}
      </Form>
      <div role="status" class="stack">
        {tested && <Result tested={tested} />}
      </div>
    </Dialog>
  );
}

function Result({ tested: { ok, latency_ms, failure_class, message, models } }: { tested: Tested }) {
  return (
    <>
      <p class={ok ? 'why fine' : 'why'}>
        {ok ? `It answered in ${duration(latency_ms)}.` : `It failed${failure_class ? `: ${failure_class}` : ''}.`}
        {message !== null && ` ${message}`}
      </p>
      {models !== null && models.length > 0 && (
        <details>
          <summary>Models that are offered there: {models.length}</summary>
          <ul class="plain-list">
            {models.slice(0, LISTED).map((name) => (
              <li key={name}>
                <code>{name}</code>
              </li>
            ))}
          </ul>
          {models.length > LISTED && <p class="soft">The first {LISTED} of them.</p>}
        </details>
      )}
    </>
  );
}

export const ProviderTest = ({ item, close }: { item: Provider; close: () => void }) => (
  <TestDialog title={`Test ${item.provider_name}`} providerId={item.id} model="" close={close} />
);

export const ModelTest = ({ item, close }: { item: Model; close: () => void }) => (
  <TestDialog
    title={`Test ${item.model_name}`}
    providerId={item.provider_id}
    model={item.provider_model}
    isFixed
    close={close}
  />
);
