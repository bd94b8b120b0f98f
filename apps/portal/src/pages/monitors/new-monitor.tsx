import { useState } from 'preact/hooks';
import type { MonitorConfig } from '@signalbox/sdk';
import { useQuery } from '@tanstack/preact-query';
import { usePortal } from '../../api/portal.js';
import { Dialog } from '../../parts/dialog.js';
import { Field, Form } from '../../parts/form.js';
import { FIRST_OPERATORS, type FirstOperator, isUnary, judgeConfig, ruleConfig } from '../../rules/monitor-draft.js';
import { Preview, useSample } from './preview.js';
import { type Target, TargetFields, targetOf } from './target-fields.js';

export function NewMonitor({ close, made }: { close: () => void; made: (id: number) => void }) {
  const { api } = usePortal();
  const [target, setTarget] = useState<Target | null>(null);
  const [config, setConfig] = useState<MonitorConfig | null>(null);
  async function make({ name = '', ...given }: Record<string, string>): Promise<void> {
    if (config === null) throw new Error('Say first what a fault is.');
    const { id: monitor_id } = await api.monitors.create({ name, config });
    await api.monitors.attachTarget({ monitor_id, ...targetOf(given) });
    if (given.watch !== undefined) {
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
        <Judging target={target} change={setConfig} />
        <label class="check-line">
          <input type="checkbox" name="watch" defaultChecked /> Publish it and watch from now on
        </label>
      </Form>
      {config && <Preview key={JSON.stringify(target)} config={config} target={target} />}
    </Dialog>
  );
}

function Judging({ target, change }: { target: Target | null; change: (config: MonitorConfig | null) => void }) {
  const [by, setBy] = useState<'rule' | 'model'>('rule');
  return (
    <>
      <Field label="Judged by">
        <select
          value={by}
          onChange={({ currentTarget }) => {
            setBy(currentTarget.value as typeof by);
            change(null);
          }}
        >
          <option value="rule">a rule on one value</option>
          <option value="model">a model, by a sentence</option>
        </select>
      </Field>
      {by === 'rule' ? <ByRule target={target} change={change} /> : <ByModel change={change} />}
    </>
  );
}

const PATHS: Record<Target['target_type'], string> = {
  agent: 'output.content',
  workflow: 'output',
  intent: 'response.choices[0].message.content',
};

function ByRule({ target, change }: { target: Target | null; change: (config: MonitorConfig | null) => void }) {
  const sample = useSample(target);
  const [given, setGiven] = useState<{ path: string | null; operator: FirstOperator; value: string }>({
    path: null,
    operator: 'contains',
    value: '',
  });
  const path = given.path ?? PATHS[target?.target_type ?? 'agent'];
  const set = (changes: Partial<typeof given>): void => {
    const next = { ...given, ...changes };
    setGiven(next);
    const isWhole = isUnary(next.operator) || next.value !== '';
    change(isWhole ? ruleConfig(next.path ?? path, next.operator, next.value) : null);
  };
  return (
    <>
      <Field label="It is a fault when" hint="A path in what is judged.">
        <input
          class="mono"
          list="paths"
          value={path}
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

function ByModel({ change }: { change: (config: MonitorConfig | null) => void }) {
  const { api } = usePortal();
  const [given, setGiven] = useState({ model: '', sentence: '' });
  const models = useQuery({
    queryKey: ['models', 'all'],
    queryFn: async ({ signal }) => await api.models.list({ limit: 100 }, { signal }),
  });
  const set = (changes: Partial<typeof given>): void => {
    const next = { ...given, ...changes };
    setGiven(next);
    change(next.model !== '' && next.sentence !== '' ? judgeConfig(Number(next.model), next.sentence) : null);
  };
  return (
    <>
      <Field label="Model that judges">
        <select required value={given.model} onChange={({ currentTarget }) => set({ model: currentTarget.value })}>
          <option value="">choose …</option>
          {(models.data?.data ?? []).map(({ id, model_name }) => (
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
