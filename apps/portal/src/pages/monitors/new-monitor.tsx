import { useState } from 'preact/hooks';
import type { MonitorConfig } from '@signalbox/sdk';
import { useQuery } from '@tanstack/preact-query';
import { usePortal } from '../../api/portal.js';
import { Dialog } from '../../parts/dialog.js';
import { Field, Form } from '../../parts/form.js';
import { FIRST_OPERATORS, type FirstOperator, isUnary, judgeConfig, ruleConfig } from '../../rules/monitor-draft.js';
import { Preview, useSample } from './preview.js';
import { type Target, TargetFields, targetOf } from './target-fields.js';

interface Judgement {
  by: 'rule' | 'model';
  /** Null: where answers of such a target are. */
  path: string | null;
  operator: FirstOperator;
  value: string;
  model: string;
  sentence: string;
}
const NOTHING: Judgement = { by: 'rule', path: null, operator: 'contains', value: '', model: '', sentence: '' };

const PATHS: Record<Target['target_type'], string> = {
  agent: 'output.content',
  workflow: 'output',
  intent: 'response.choices[0].message.content',
};
const pathOf = ({ path }: Judgement, target: Target | null): string => path ?? PATHS[target?.target_type ?? 'agent'];

/** Null while something is missing. */
function configOf(given: Judgement, target: Target | null): MonitorConfig | null {
  const { by, operator, value, model, sentence } = given;
  if (by === 'model') return model !== '' && sentence !== '' ? judgeConfig(Number(model), sentence) : null;
  return isUnary(operator) || value !== '' ? ruleConfig(pathOf(given, target), operator, value) : null;
}

export function NewMonitor({ close, made }: { close: () => void; made: (id: number) => void }) {
  const { api } = usePortal();
  const [target, setTarget] = useState<Target | null>(null);
  const [given, setGiven] = useState(NOTHING);
  const config = configOf(given, target);
  async function make({ name = '', ...fields }: Record<string, string>): Promise<void> {
    if (config === null) throw new Error('Say first what a fault is.');
    const { id: monitor_id } = await api.monitors.create({ name, config });
    await api.monitors.attachTarget({ monitor_id, ...targetOf(fields) });
    if (fields.watch !== undefined) {
      await api.monitors.publishVersion({ monitor_id });
      await api.monitors.activate({ monitor_id });
    }
    made(monitor_id);
  }
  return (
    <Dialog title="New monitor" close={close}>
      <Form action="Make it" submit={make}>
        <Field label="Name">
          <input name="name" required maxLength={200} autofocus />
        </Field>
        <TargetFields chosen={setTarget} />
        <Judging target={target} given={given} set={(changes) => setGiven({ ...given, ...changes })} />
        <label class="check-line">
          <input type="checkbox" name="watch" defaultChecked /> Publish it and watch from now on
        </label>
      </Form>
      {config && <Preview key={JSON.stringify(target)} config={config} target={target} />}
    </Dialog>
  );
}

interface FieldsProps {
  given: Judgement;
  set: (changes: Partial<Judgement>) => void;
}

function Judging({ target, given, set }: FieldsProps & { target: Target | null }) {
  return (
    <>
      <Field label="Judged by">
        <select value={given.by} onChange={({ currentTarget }) => set({ by: currentTarget.value as Judgement['by'] })}>
          <option value="rule">a rule on one value</option>
          <option value="model">a model, by a sentence</option>
        </select>
      </Field>
      {given.by === 'rule' ? <ByRule target={target} given={given} set={set} /> : <ByModel given={given} set={set} />}
    </>
  );
}

function ByRule({ target, given, set }: FieldsProps & { target: Target | null }) {
  const sample = useSample(target);
  return (
    <>
      <Field label="It is a fault when" hint="A path in what is judged.">
        <input
          class="mono"
          list="paths"
          value={pathOf(given, target)}
          onInput={({ currentTarget }) => set({ path: currentTarget.value })}
        />
      </Field>
      <datalist id="paths">
        {(sample.data?.payload_paths ?? []).map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
      <Field label="Comparison">
        <select
          value={given.operator}
          onChange={({ currentTarget }) => set({ operator: currentTarget.value as FirstOperator })}
        >
          {Object.entries(FIRST_OPERATORS).map(([value, words]) => (
            <option value={value} key={value}>
              {words}
            </option>
          ))}
        </select>
      </Field>
      {!isUnary(given.operator) && (
        <Field label="Value">
          <input value={given.value} required onInput={({ currentTarget }) => set({ value: currentTarget.value })} />
        </Field>
      )}
    </>
  );
}

function ByModel({ given, set }: FieldsProps) {
  const { api } = usePortal();
  const models = useQuery({
    queryKey: ['models', 'all'],
    queryFn: async ({ signal }) => await api.models.list({ limit: 100 }, { signal }).all(),
  });
  return (
    <>
      <Field label="Model that judges">
        <select required value={given.model} onChange={({ currentTarget }) => set({ model: currentTarget.value })}>
          <option value="">choose …</option>
          {(models.data ?? []).map(({ id, model_name }) => (
            <option value={id} key={id}>
              {model_name}
            </option>
          ))}
        </select>
      </Field>
      <Field label="What it looks for" hint="In one sentence: what makes an answer faulty.">
        <textarea
          rows={3}
          required
          value={given.sentence}
          onInput={({ currentTarget }) => set({ sentence: currentTarget.value })}
        />
      </Field>
    </>
  );
}
