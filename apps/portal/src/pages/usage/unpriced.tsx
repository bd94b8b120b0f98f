import { useState } from 'preact/hooks';
import type { Model } from '@signalbox/sdk';
import { useQuery } from '@tanstack/preact-query';
import { usePortal } from '../../api/portal.js';
import { Dialog } from '../../parts/dialog.js';
import { Field, Form } from '../../parts/form.js';

const PRICES = [
  ['input_price_per_mtok', 'Price of a million input tokens ($)'],
  ['output_price_per_mtok', 'Price of a million output tokens ($)'],
] as const;

const isUnpriced = (model: Model): boolean => model.company_owned && PRICES.some(([name]) => model[name] === null);

export function Unpriced({ asked }: { asked: readonly string[] }) {
  const { api, can } = usePortal();
  const [chosen, setChosen] = useState<Model | null>(null);
  const { data, refetch } = useQuery({
    queryKey: ['models', 'prices'],
    queryFn: async ({ signal }) => await api.models.list({ limit: 100 }, { signal }).all(),
  });
  const unpriced = (data ?? []).filter((model) => isUnpriced(model) && asked.includes(model.model_name));
  if (unpriced.length === 0) return null;
  return (
    <div class="why calm">
      <p>The cost is that of the other requests: these models have no price.</p>
      <div class="bar">
        {unpriced.map((model) => (
          <button
            key={model.id}
            aria-disabled={!can('write')}
            onClick={() => can('write') && setChosen(model)}
          >{`Set prices of ${model.model_name}`}</button>
        ))}
      </div>
      {chosen && <Prices model={chosen} done={() => void refetch()} close={() => setChosen(null)} />}
    </div>
  );
}

function Prices({ model, done, close }: { model: Model; done: () => void; close: () => void }) {
  const { api, say } = usePortal();
  async function save(given: Record<string, string>): Promise<void> {
    const [input_price_per_mtok, output_price_per_mtok] = PRICES.map(([name]) => Number(given[name]));
    await api.models.update({ model_id: model.id, input_price_per_mtok, output_price_per_mtok });
    say(`Requests to ${model.model_name} have a cost from now on.`);
    done();
    close();
  }
  return (
    <Dialog title={`Prices of ${model.model_name}`} close={close}>
      <Form submit={save} action="Save">
        {PRICES.map(([name, label]) => (
          <Field key={name} label={label}>
            <input name={name} type="number" min={0} step="any" required defaultValue={model[name]?.toString() ?? ''} />
          </Field>
        ))}
        <p class="soft">They count from now on. What was recorded before keeps its cost.</p>
      </Form>
    </Dialog>
  );
}
