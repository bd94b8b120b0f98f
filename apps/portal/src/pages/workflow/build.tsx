import { type MutableRef, useRef, useState } from 'preact/hooks';
import type { Workflow } from '@signalbox/sdk';
import { usePortal } from '../../api/portal.js';
import { CodeEditor } from '../../parts/editor/code-editor.js';
import { hasLine, Problems, useStable } from '../../parts/editor/problems.js';
import type { CodeProblem } from '../../parts/editor/editor.js';
import type { ScriptLanguage } from '../../parts/editor/editor.js';
import { Field } from '../../parts/form.js';
import { schemaIn } from '../../rules/workflow-draft.js';
import { RunSide } from './run-side.js';
import type { Checks } from './use-checks.js';
import type { Editing } from './use-draft.js';

interface Props {
  workflow: Workflow;
  editing: Editing;
  checks: Checks;
  busy: 'save' | 'validate' | null;
  save: () => Promise<boolean>;
  validate: () => Promise<void>;
  reload: () => Promise<void>;
  run: MutableRef<() => void>;
}

export function Build(props: Props) {
  const { workflow, editing, save, run } = props;
  const [thrown, setThrown] = useState<{ script: string; problem: CodeProblem } | null>(null);
  const { script, input_schema } = editing.draft;
  return (
    <div class="columns workbench">
      <div class="stack">
        <Script {...props} thrown={thrown?.script === script ? thrown.problem : null} />
        <Schemas editing={editing} />
        <Settings editing={editing} />
      </div>
      <RunSide
        workflow={workflow}
        schema={schemaIn(input_schema) ?? null}
        prepare={save}
        run={run}
        thrown={(problem) => setThrown(problem === null ? null : { script, problem })}
      />
    </div>
  );
}

function Script({ editing, checks, busy, save, validate, reload, thrown }: Props & { thrown: CodeProblem | null }) {
  const { can } = usePortal();
  const reveal = useRef<(line: number) => void>(() => undefined);
  const { draft, isDirty, isStale, change } = editing;
  const problems = checks.problems ?? [];
  const marks = useStable([...problems.filter(hasLine), ...(thrown ? [thrown] : [])]);
  const state =
    busy === 'save' ? 'Saving …' : busy === 'validate' ? 'Checking …' : isDirty ? 'Not saved' : 'The draft is saved';
  return (
    <section class="card" aria-label="Script">
      <div class="head">
        <h2>Script</h2>
        <span class={`soft ${isDirty ? 'changed' : ''}`} role="status">
          {state}
        </span>
        <span class="grow" />
        <select
          aria-label="Language"
          class="short"
          disabled={!can('write')}
          value={draft.language}
          onChange={({ currentTarget }) => change({ language: currentTarget.value as ScriptLanguage })}
        >
          <option value="javascript">JavaScript</option>
          <option value="typescript">TypeScript</option>
          <option value="python">Python</option>
        </select>
        <button aria-disabled={busy !== null} onClick={() => void validate()}>
          Validate
        </button>
        <button
          class={isDirty ? 'primary' : ''}
          aria-disabled={busy !== null || !can('write')}
          onClick={() => void save()}
        >
          Save <kbd>Ctrl S</kbd>
        </button>
      </div>
      {isStale && (
        <p class="why odd">
          The workflow was changed elsewhere meanwhile. Saving replaces that.{' '}
          <button onClick={() => void reload()}>Take what is there</button>
        </p>
      )}
      <CodeEditor
        label="Script"
        language={draft.language}
        text={draft.script}
        revision={editing.revision}
        problems={marks}
        isReadOnly={!can('write')}
        change={(script) => change({ script })}
        reveal={reveal}
      />
      <Problems problems={thrown ? [...problems, thrown] : problems} reveal={(line) => reveal.current(line)} />
      <small class="hint">Tab indents. Escape, then Tab, leaves the editor.</small>
    </section>
  );
}

function SchemaField({ editing, name, label, hint }: SchemaProps) {
  const { can } = usePortal();
  const text = editing.draft[name];
  return (
    <Field label={label} hint={schemaIn(text) === undefined ? 'This is not a JSON object yet.' : hint}>
      <textarea
        class="mono"
        rows={8}
        spellcheck={false}
        readOnly={!can('write')}
        aria-invalid={schemaIn(text) === undefined}
        placeholder="anything"
        value={text}
        onInput={({ currentTarget }) => editing.change({ [name]: currentTarget.value })}
      />
    </Field>
  );
}

interface SchemaProps {
  editing: Editing;
  name: 'input_schema' | 'output_schema';
  label: string;
  hint: string;
}

const Schemas = ({ editing }: { editing: Editing }) => (
  <section class="card" aria-label="Input and output">
    <h2>Input and output</h2>
    <div class="pairs">
      <SchemaField
        editing={editing}
        name="input_schema"
        label="Input schema"
        hint="JSON Schema. The form of the run is made from it; an input that does not fit is refused."
      />
      <SchemaField
        editing={editing}
        name="output_schema"
        label="Output schema"
        hint="JSON Schema. A run whose output does not fit has failed."
      />
    </div>
  </section>
);

function Settings({ editing: { draft, change } }: { editing: Editing }) {
  const { can } = usePortal();
  const text = (name: 'workflow_name' | 'description' | 'timeout_seconds' | 'memory_mb') => ({
    readOnly: !can('write'),
    value: draft[name],
    onInput: ({ currentTarget }: { currentTarget: HTMLInputElement }) => change({ [name]: currentTarget.value }),
  });
  return (
    <section class="card" aria-label="Settings">
      <h2>Settings</h2>
      <div class="pairs">
        <Field label="Name">
          <input maxLength={200} {...text('workflow_name')} />
        </Field>
        <Field label="Description">
          <input {...text('description')} />
        </Field>
        <Field label="Time limit of a run in seconds">
          <input inputMode="numeric" {...text('timeout_seconds')} />
        </Field>
        <Field label="Memory of the script in MB">
          <input inputMode="numeric" {...text('memory_mb')} />
        </Field>
        <Field label="How callers wait" hint="Unless the call says otherwise.">
          <select
            disabled={!can('write')}
            value={draft.execution_mode}
            onChange={({ currentTarget }) =>
              change({ execution_mode: currentTarget.value as Workflow['execution_mode'] })
            }
          >
            <option value="sync">sync: for the output</option>
            <option value="async">async: for the id of the run</option>
            <option value="stream">stream: for each event</option>
          </select>
        </Field>
      </div>
      <label class="check-line">
        <input
          type="checkbox"
          disabled={!can('write')}
          checked={draft.allow_inproc_nesting}
          onChange={({ currentTarget }) => change({ allow_inproc_nesting: currentTarget.checked })}
        />
        Its script may run other workflows, at most five deep
      </label>
      {draft.allow_inproc_nesting && (
        <Field
          label="Workflows that it may run"
          hint="One a line: name, name@1.2.3 or name@release. They have what is left of the time of its run."
        >
          <textarea
            class="mono"
            rows={3}
            spellcheck={false}
            readOnly={!can('write')}
            value={draft.inproc_nested_refs}
            onInput={({ currentTarget }) => change({ inproc_nested_refs: currentTarget.value })}
          />
        </Field>
      )}
    </section>
  );
}
