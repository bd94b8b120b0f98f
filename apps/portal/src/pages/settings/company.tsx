import type { Company as Shown, CompanyUpdateInput } from '@signalbox/sdk';
import { usePortal } from '../../api/portal.js';
import { Field, Form } from '../../parts/form.js';
import { Loaded } from '../../parts/loaded.js';

const RETAINED = [
  ['requests', 'Recorded calls of models'],
  ['tasks', 'Runs of agents'],
  ['workflow_runs', 'Runs of workflows'],
  ['monitor_runs', 'Verdicts of monitors'],
] as const;

export function Company() {
  const { api, can } = usePortal();
  return (
    <div class="page narrow">
      <div class="head">
        <h1>Company</h1>
      </div>
      <Loaded name={['company']} load={(signal) => api.company.get({}, { signal })}>
        {(company, reload) => <CompanyForm company={company} mayChange={can('admin')} changed={reload} />}
      </Loaded>
    </div>
  );
}

function CompanyForm({ company, mayChange, changed }: { company: Shown; mayChange: boolean; changed: () => void }) {
  const { api, say } = usePortal();
  const { settings } = company;
  async function save(given: Record<string, string>) {
    await api.company.update(changeOf(given));
    say('Saved.');
    changed();
  }
  return (
    <Form
      submit={save}
      action="Save"
      {...(mayChange ? {} : { locked: 'Only keys with the scope admin change these.' })}
    >
      <section class="card" aria-label="Company">
        <Field label="Name">
          <input name="name" required maxLength={200} defaultValue={company.name} />
        </Field>
      </section>
      <section class="card" aria-label="Models">
        <h2>Models</h2>
        <Field label="Default model" hint="Answers where an agent or a call names no model.">
          <input name="default_model" required defaultValue={settings.default_model ?? 'simulated-echo'} />
        </Field>
        <Field label="Judge model" hint="Judges criteria and monitors that name no model.">
          <input name="judge_model" required defaultValue={settings.judge_model ?? 'simulated-echo'} />
        </Field>
        <Field label="Help model" hint="Answers questions about the API; without one, help finds pages only.">
          <input name="help_model" defaultValue={settings.help_model ?? ''} />
        </Field>
      </section>
      <section class="card" aria-label="Retention">
        <h2>Retention, in days</h2>
        <p class="soft">Older records are deleted for good. An empty field keeps them for ever.</p>
        {RETAINED.map(([name, title]) => (
          <Field key={name} label={title}>
            <input
              name={name}
              type="number"
              min={1}
              max={3650}
              placeholder="for ever"
              defaultValue={settings.retention_days[name] ?? ''}
            />
          </Field>
        ))}
      </section>
    </Form>
  );
}

function changeOf(given: Record<string, string>): CompanyUpdateInput {
  const { name = '', default_model = '', judge_model = '', help_model = '' } = given;
  const retention_days = Object.fromEntries(RETAINED.map(([kind]) => [kind, given[kind] ? Number(given[kind]) : null]));
  return { name, settings: { default_model, judge_model, help_model: help_model || null, retention_days } };
}
