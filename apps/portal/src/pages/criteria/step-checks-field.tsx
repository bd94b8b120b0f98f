import { Field } from '../../parts/form.js';
import {
  CHECK_KINDS,
  type CheckDraft,
  type Comparison,
  COMPARISONS,
  NEW_CHECK,
  STEP_STATES,
} from '../../rules/step-checks.js';

const MAX_CHECKS = 20;
const MAX_ARGUMENTS = 10;

interface Props {
  checks: readonly CheckDraft[];
  change: (checks: CheckDraft[]) => void;
}

export function StepChecksField({ checks, change }: Props) {
  return (
    <section class="stack" aria-label="Checks">
      {checks.map((check, at) => (
        <fieldset key={at} class="stack">
          <legend>Check {at + 1}</legend>
          <CheckFields
            check={check}
            change={(part) => change(checks.map((each, n) => (n === at ? { ...each, ...part } : each)))}
          />
          {checks.length > 1 && (
            <div>
              <button type="button" onClick={() => change(checks.filter((_, n) => n !== at))}>
                Remove check {at + 1}
              </button>
            </div>
          )}
        </fieldset>
      ))}
      {checks.length < MAX_CHECKS && (
        <div>
          <button type="button" onClick={() => change([...checks, NEW_CHECK])}>
            Add a check
          </button>
        </div>
      )}
    </section>
  );
}

interface CheckProps {
  check: CheckDraft;
  change: (part: Partial<CheckDraft>) => void;
}

function CheckFields({ check, change }: CheckProps) {
  const { kind } = check;
  const isCall = kind === 'called' || kind === 'not_called';
  return (
    <>
      <Field label="It holds when">
        <select
          value={kind}
          onChange={({ currentTarget }) => change({ kind: currentTarget.value as CheckDraft['kind'] })}
        >
          {Object.entries(CHECK_KINDS).map(([value, words]) => (
            <option value={value} key={value}>
              {value === 'called' || value === 'not_called' ? 'a tool ' : value === 'order' ? 'tools ' : ''}
              {words}
            </option>
          ))}
        </select>
      </Field>
      {isCall && (
        <Field
          label="Tool"
          hint="An action, a sub-agent or a traced tool; in a workflow also a step or a member of ctx."
        >
          <input
            required
            maxLength={200}
            value={check.tool}
            onInput={({ currentTarget }) => change({ tool: currentTarget.value })}
          />
        </Field>
      )}
      {kind === 'called' && (
        <div class="bar">
          <Times label="At least (times)" value={check.min_times} change={(min_times) => change({ min_times })} />
          <Times label="At most (times)" value={check.max_times} change={(max_times) => change({ max_times })} />
        </div>
      )}
      {isCall && <Arguments check={check} change={change} />}
      {kind === 'order' && (
        <Field label="Tools" hint="One a line; others may be called in between.">
          <textarea
            rows={3}
            required
            value={check.tools}
            onInput={({ currentTarget }) => change({ tools: currentTarget.value })}
          />
        </Field>
      )}
      {kind === 'status' && (
        <Field label="End">
          <select
            value={check.status}
            onChange={({ currentTarget }) => change({ status: currentTarget.value as CheckDraft['status'] })}
          >
            {STEP_STATES.map((state) => (
              <option key={state}>{state}</option>
            ))}
          </select>
        </Field>
      )}
    </>
  );
}

function Times({ label, value, change }: { label: string; value: string; change: (value: string) => void }) {
  return (
    <Field label={label}>
      <input
        type="number"
        min={1}
        max={1000}
        value={value}
        onInput={({ currentTarget }) => change(currentTarget.value)}
      />
    </Field>
  );
}

function Arguments({ check, change }: CheckProps) {
  const given = check.arguments;
  const edit = (at: number, part: Partial<(typeof given)[number]>): void =>
    change({ arguments: given.map((each, n) => (n === at ? { ...each, ...part } : each)) });
  return (
    <>
      {given.map(({ path, comparison, value }, at) => (
        <div class="bar" key={at}>
          <Field label="Argument" {...(at === 0 ? { hint: 'A path, such as rows[0].id; empty: all of them.' } : {})}>
            <input
              class="mono"
              maxLength={500}
              value={path}
              onInput={({ currentTarget }) => edit(at, { path: currentTarget.value })}
            />
          </Field>
          <Field label="Comparison">
            <select
              value={comparison}
              onChange={({ currentTarget }) => edit(at, { comparison: currentTarget.value as Comparison })}
            >
              {Object.entries(COMPARISONS).map(([name, words]) => (
                <option value={name} key={name}>
                  {words}
                </option>
              ))}
            </select>
          </Field>
          <Field label="Value">
            <input
              class="mono"
              required
              maxLength={2000}
              value={value}
              onInput={({ currentTarget }) => edit(at, { value: currentTarget.value })}
            />
          </Field>
          <button type="button" onClick={() => change({ arguments: given.filter((_, n) => n !== at) })}>
            Remove<span class="visually-hidden"> argument {at + 1}</span>
          </button>
        </div>
      ))}
      {given.length < MAX_ARGUMENTS && (
        <div>
          <button
            type="button"
            onClick={() => change({ arguments: [...given, { path: '', comparison: 'equals', value: '' }] })}
          >
            Look at an argument
          </button>
        </div>
      )}
    </>
  );
}
