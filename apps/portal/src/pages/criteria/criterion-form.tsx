import { useState } from 'preact/hooks';
import type { EvaluationCriteria } from '@signalbox/sdk';
import { Field, Form } from '../../parts/form.js';
import { criterionOf, METHODS, type Method, SCORERS, uses } from '../../rules/criteria.js';
import { type CheckDraft, checkOf, draftOf, NEW_CHECK } from '../../rules/step-checks.js';
import { type Script, ScriptField } from './script-field.js';
import { StepChecksField } from './step-checks-field.js';

type Fields = ReturnType<typeof criterionOf> & { criteria_type: EvaluationCriteria['criteria_type'] };

export function CriterionForm({
  before,
  action,
  locked,
  typed,
  submit,
}: {
  before?: EvaluationCriteria;
  action: string;
  locked?: string;
  /** For changes that are no input of a field. */
  typed?: () => void;
  submit: (fields: Fields) => Promise<unknown>;
}) {
  const [method, setMethod] = useState<Method>(before?.method ?? 'EXACT');
  const [type, setType] = useState<EvaluationCriteria['criteria_type']>(before?.criteria_type ?? 'BOOLEAN');
  const config = before?.config ?? {};
  const [script, setScript] = useState<Script>({
    language: config.language ?? 'javascript',
    text: config.script ?? SCORERS.javascript,
  });
  const [checks, setChecks] = useState<CheckDraft[]>(config.checks?.map(draftOf) ?? [NEW_CHECK]);
  const tells =
    <Value,>(set: (value: Value) => void) =>
    (value: Value): void => {
      set(value);
      typed?.();
    };
  const edited = { language: script.language, script: script.text, checks: JSON.stringify(checks.map(checkOf)) };
  return (
    <Form
      action={action}
      submit={(given) => submit({ ...criterionOf(method, { ...given, ...edited }), criteria_type: type })}
      {...(locked === undefined ? {} : { locked })}
    >
      <Field label="Name">
        <input name="name" required maxLength={200} defaultValue={before?.name ?? ''} autofocus={!before} />
      </Field>
      <Field label="Description">
        <input name="description" maxLength={2000} defaultValue={before?.description ?? ''} />
      </Field>
      <Field label="An answer is right when it">
        <select value={method} onChange={({ currentTarget }) => setMethod(currentTarget.value as Method)}>
          {Object.entries(METHODS).map(([value, words]) => (
            <option value={value} key={value}>
              {words}
            </option>
          ))}
        </select>
      </Field>
      {method === 'LLM' && (
        <Field label="What the judge looks for">
          <textarea name="prompt" rows={4} required defaultValue={before?.prompt ?? ''} />
        </Field>
      )}
      {uses(method, 'model') && (
        <Field label="Model that judges" hint="Empty: the judge model of the company.">
          <input name="model" maxLength={200} defaultValue={config.model ?? ''} />
        </Field>
      )}
      {uses(method, 'value') && (
        <Field label="Text">
          <textarea name="value" rows={2} required maxLength={20_000} defaultValue={config.value ?? ''} />
        </Field>
      )}
      {uses(method, 'pattern') && (
        <Field label="Pattern" hint="RE2 syntax.">
          <input name="pattern" class="mono" required maxLength={1000} defaultValue={config.pattern ?? ''} />
        </Field>
      )}
      {uses(method, 'required_paths') && (
        <Field label="Paths that have to be right" hint="One a line; empty: all.">
          <textarea
            name="required_paths"
            class="mono"
            rows={3}
            defaultValue={(config.required_paths ?? []).join('\n')}
          />
        </Field>
      )}
      {uses(method, 'ignore_paths') && (
        <Field label="Paths that do not matter" hint="One a line.">
          <textarea name="ignore_paths" class="mono" rows={2} defaultValue={(config.ignore_paths ?? []).join('\n')} />
        </Field>
      )}
      {uses(method, 'schema') && (
        <Field label="JSON Schema">
          <textarea
            name="schema"
            class="mono"
            rows={8}
            required
            spellcheck={false}
            defaultValue={config.schema ? JSON.stringify(config.schema, null, 2) : ''}
          />
        </Field>
      )}
      {uses(method, 'script') && <ScriptField script={script} change={tells(setScript)} />}
      {uses(method, 'timeout_ms') && (
        <Field label="Time for one item (ms)">
          <input name="timeout_ms" type="number" min={100} max={30_000} defaultValue={config.timeout_ms ?? 5000} />
        </Field>
      )}
      {uses(method, 'with_steps') && (
        <label class="check-line">
          <input type="checkbox" name="with_steps" defaultChecked={config.with_steps ?? false} /> The script looks at
          the steps of the item
        </label>
      )}
      {uses(method, 'checks') && <StepChecksField checks={checks} change={tells(setChecks)} />}
      {uses(method, 'max_latency_ms') && (
        <Field label="At most (ms)">
          <input
            name="max_latency_ms"
            type="number"
            required
            min={0}
            max={86_400_000}
            defaultValue={config.max_latency_ms ?? ''}
          />
        </Field>
      )}
      {uses(method, 'max_cost') && (
        <Field label="At most (US dollars)" hint="An item whose cost is not known is an error.">
          <input name="max_cost" type="number" required min={0} step="any" defaultValue={config.max_cost ?? ''} />
        </Field>
      )}
      {uses(method, 'numeric_tolerance') && (
        <Field label="Numbers may differ by">
          <input
            name="numeric_tolerance"
            type="number"
            min={0}
            step="any"
            defaultValue={config.numeric_tolerance ?? 0}
          />
        </Field>
      )}
      {uses(method, 'case_sensitive') && (
        <label class="check-line">
          <input type="checkbox" name="case_sensitive" defaultChecked={config.case_sensitive ?? true} /> Small and large
          letters differ
        </label>
      )}
      {uses(method, 'trim') && (
        <label class="check-line">
          <input type="checkbox" name="trim" defaultChecked={config.trim ?? true} /> Spaces at both ends do not matter
        </label>
      )}
      <div class="bar">
        <Field label="Score">
          <select
            value={type}
            disabled={before !== undefined}
            onChange={({ currentTarget }) => setType(currentTarget.value as typeof type)}
          >
            <option value="BOOLEAN">0 or 1</option>
            <option value="NUMERIC">1 to 5</option>
          </select>
        </Field>
        <Field label="Passes at">
          <input
            key={type}
            name="pass_threshold"
            type="number"
            min={0}
            max={5}
            step="any"
            defaultValue={before?.pass_threshold ?? (type === 'BOOLEAN' ? 1 : 3)}
          />
        </Field>
        <Field label="Weight">
          <input name="weight" type="number" min={0} max={100} step="any" defaultValue={before?.weight ?? 1} />
        </Field>
      </div>
    </Form>
  );
}
