import { type StateUpdater, useState } from 'preact/hooks';
import type { AlertRule, Monitor, MonitorConfig } from '@signalbox/sdk';
import { useQueryClient } from '@tanstack/preact-query';
import { usePortal } from '../../api/portal.js';
import { Dialog } from '../../parts/dialog.js';
import { Field, Form } from '../../parts/form.js';
import { Question } from '../../parts/question.js';
import { ruleWords } from '../../rules/activity.js';
import { alertRuleOf, readObject } from '../../rules/monitor-draft.js';
import { Preview } from './preview.js';
import type { Target } from './target-fields.js';

/** A draft that is not saved. */
export interface EditedText {
  text: string;
  /** What was saved when it was begun. */
  origin: string;
}

interface Props {
  monitor: Monitor;
  changed: () => void;
  /** Outlives its tab. */
  edited: EditedText | null;
  edit: (next: StateUpdater<EditedText | null>) => void;
}

export function Definition({ monitor, changed, edited, edit }: Props) {
  const { api, can, say } = usePortal();
  const cache = useQueryClient();
  const { id: monitor_id, config, targets = [] } = monitor;
  const stored = JSON.stringify(config, null, 2);
  const text = edited?.text ?? stored;
  const read = readObject<MonitorConfig>(text);
  const [first] = targets;
  const [target] = useState<Target | null>(
    first ? { target_type: first.target_type, target_id: first.target_id } : null,
  );
  async function save(): Promise<void> {
    if ('problem' in read) throw new Error(read.problem);
    const saved = await api.monitors.update({ monitor_id, config: read.value });
    cache.setQueryData<Monitor>(['monitor', monitor_id], (before) => before && { ...before, ...saved });
    // What was typed meanwhile stays.
    edit((now) =>
      now === null || now.text === text ? null : { ...now, origin: JSON.stringify(saved.config, null, 2) },
    );
    say('The draft is saved. Publish it, so that it judges.');
    changed();
  }
  return (
    <>
      <AlertRules monitor={monitor} changed={changed} />
      <div class="columns">
        <section class="card" aria-label="Draft">
          <h2>Draft</h2>
          {edited && edited.origin !== stored && (
            <p class="why odd">
              The draft was changed elsewhere meanwhile. Saving replaces that.{' '}
              <button onClick={() => edit(null)}>Take what is there</button>
            </p>
          )}
          <Form
            action="Save the draft"
            submit={save}
            {...(!can('write')
              ? { locked: 'Saving needs a key with the scope «write».' }
              : edited
                ? {}
                : { locked: 'Nothing has changed.' })}
          >
            <Field
              label="Configuration"
              hint="runner: what produces the output. result: when it is a fault, a warning, and what else. limits."
            >
              <textarea
                class="mono"
                rows={20}
                spellcheck={false}
                value={text}
                onInput={({ currentTarget: { value } }) =>
                  edit((now) => (value === stored ? null : { text: value, origin: now?.origin ?? stored }))
                }
              />
            </Field>
            {'problem' in read && <p class="error">{read.problem}</p>}
          </Form>
        </section>
        <Preview config={'value' in read ? read.value : null} target={target} />
      </div>
    </>
  );
}

function AlertRules({ monitor, changed }: { monitor: Monitor; changed: () => void }) {
  const { api, can } = usePortal();
  const [isNew, setIsNew] = useState(false);
  const [unwanted, setUnwanted] = useState<AlertRule | null>(null);
  const { id: monitor_id, alert_rules } = monitor;
  const allowed = can('write');
  async function set(rules: AlertRule[]): Promise<void> {
    await api.monitors.update({ monitor_id, alert_rules: rules });
    setIsNew(false);
    changed();
  }
  return (
    <section class="card" aria-label="Alert rules">
      <div class="head">
        <h2>Alert rules</h2>
        <button aria-disabled={!allowed} onClick={() => allowed && setIsNew(true)}>
          New rule
        </button>
      </div>
      {alert_rules.length === 0 ? (
        <p class="soft">No rule opens an alert.</p>
      ) : (
        <ul class="plain-list">
          {alert_rules.map((rule) => (
            <li key={JSON.stringify(rule)}>
              {ruleWords(rule)}{' '}
              {allowed && (
                <button class="plain" aria-label={`Remove: ${ruleWords(rule)}`} onClick={() => setUnwanted(rule)}>
                  Remove
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      {unwanted && (
        <Question
          title="Remove this rule?"
          action="Remove the rule"
          act={() => set(alert_rules.filter((each) => JSON.stringify(each) !== JSON.stringify(unwanted)))}
          close={() => setUnwanted(null)}
        >
          <p>No alert opens any more for {ruleWords(unwanted)}.</p>
        </Question>
      )}
      {isNew && <NewRule close={() => setIsNew(false)} add={(rule) => set([...alert_rules, rule])} />}
    </section>
  );
}

function NewRule({ close, add }: { close: () => void; add: (rule: AlertRule) => Promise<void> }) {
  const [metric, setMetric] = useState<AlertRule['metric']>('fault_rate');
  const isCount = metric === 'consecutive_faults';
  return (
    <Dialog title="When an alert opens" close={close}>
      <Form action="Add the rule" submit={(given) => add(alertRuleOf(given))}>
        <Field label="What is measured">
          <select
            name="metric"
            value={metric}
            onChange={({ currentTarget }) => setMetric(currentTarget.value as AlertRule['metric'])}
          >
            <option value="fault_rate">the share of faults</option>
            <option value="error_rate">the share of errors</option>
            <option value="consecutive_faults">faults in a row</option>
          </select>
        </Field>
        <Field label={isCount ? 'As many as' : 'At least (percent)'}>
          <input
            name="threshold"
            type="number"
            min={isCount ? 1 : 0}
            max={isCount ? 10_000 : 100}
            step="any"
            required
          />
        </Field>
        {!isCount && (
          <>
            <Field label="Within (minutes)">
              <input name="window" type="number" min={1} max={43_200} defaultValue={60} />
            </Field>
            <Field label="Of at least so many verdicts">
              <input name="min_runs" type="number" min={1} max={100_000} defaultValue={5} />
            </Field>
          </>
        )}
      </Form>
    </Dialog>
  );
}
