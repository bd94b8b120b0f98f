import { Failure } from './failure.js';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { FormField, Task } from '@signalbox/sdk';
import { Link } from 'wouter-preact';
import { usePortal } from '../api/portal.js';
import { duration, money } from '../rules/formats.js';
import { stateSchemaOf } from '../rules/form-fields.js';
import { formOf } from '../rules/schema-fields.js';
import { type Entered, enteredOf, valueOf } from '../rules/schema-values.js';
import { whyOf } from '../rules/why.js';
import { AddToTestSet } from './add-to-test-set.js';
import { focusOf } from './focus.js';
import { Field } from './form.js';
import { useKeyHints } from './keys.js';
import { Lamp } from './lamp.js';
import { Messages, type Said, textOf } from './messages.js';
import { type Secret, SecretFields, secretsOf } from './secret-fields.js';
import { SchemaForm } from './schema-form.js';

interface Live {
  taskId: string;
  steps: string[];
  answer: string;
  end: Task | null;
}

interface StreamEvent {
  type: string;
  content?: string;
  action_name?: string;
  child_agent_id?: number;
}

const stepOf = (event: StreamEvent): string | null => {
  if (event.type === 'action.started') return `Action ${event.action_name ?? ''}`;
  if (event.type === 'subagent.started') return `Sub-agent ${event.child_agent_id ?? ''}`;
  if (event.type === 'routing.decided') return 'Routing decided';
  if (event.type === 'task.waiting') return 'Waiting for a callback';
  return null;
};

export function Try({ agentId, fields, asked }: { agentId: number; fields: readonly FormField[]; asked?: string }) {
  const { api, can } = usePortal();
  const [said, setSaid] = useState<Said[]>([]);
  const [live, setLive] = useState<Live | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [session, setSession] = useState<string | undefined>(undefined);
  const [isBusy, setIsBusy] = useState(false);
  const [isAdding, setIsAdding] = useState(false);
  const [secrets, setSecrets] = useState<Secret[]>([]);
  const form = useRef<HTMLFormElement>(null);
  /** Of the session in view; a run of a former one goes on unseen. */
  const following = useRef(new AbortController());
  useEffect(() => () => following.current.abort(), []);
  useKeyHints([['Ctrl Enter', 'send the message of Try']]);
  const stateForm = useMemo(() => formOf(stateSchemaOf(fields)), [JSON.stringify(fields)]);
  const [entered, setEntered] = useState<Entered>(() => enteredOf(stateForm));
  const [wrong, setWrong] = useState<Record<string, string>>({});

  function leaveSession(): void {
    following.current.abort();
    following.current = new AbortController();
    setIsBusy(false);
    setError(null);
    setSession(undefined);
    setSaid([]);
    setLive(null);
  }

  async function follow(taskId: string, signal: AbortSignal): Promise<void> {
    let at: Live = { taskId, steps: [], answer: '', end: null };
    let isDrawn = true;
    const draw = (change: Partial<Live>): void => {
      at = { ...at, ...change };
      // One paint per frame, however many events arrive.
      if (!isDrawn) return;
      isDrawn = false;
      requestAnimationFrame(() => {
        isDrawn = true;
        if (!signal.aborted) setLive(at);
      });
    };
    draw({});
    for await (const event of api.agents.streamTask({ agent_id: agentId, task_id: taskId }, { signal })) {
      const seen = event as unknown as StreamEvent;
      const step = stepOf(seen);
      if (step !== null) draw({ steps: [...at.steps, step] });
      if (seen.type === 'message.delta') draw({ answer: at.answer + (seen.content ?? '') });
    }
    const end = await api.agents.getTask({ agent_id: agentId, task_id: taskId }, { signal });
    at = { ...at, end };
    setLive(at);
    if (end.output) setSaid((before) => [...before, { role: 'assistant', content: textOf(end.output?.content) }]);
  }

  async function send(): Promise<void> {
    const given = Object.fromEntries(new FormData(form.current ?? undefined)) as Record<string, string>;
    const message = (given.message ?? '').trim();
    if (message === '' || isBusy || !can('invoke')) return;
    const { value, errors } = fields.length > 0 ? valueOf(stateForm, entered) : { value: {}, errors: {} };
    const state = value as Record<string, unknown>;
    setWrong(errors);
    if (Object.keys(errors).length > 0) return;
    let named: Record<string, string>;
    try {
      named = secretsOf(secrets);
    } catch (problem) {
      return setError(problem);
    }
    const { signal } = following.current;
    setIsBusy(true);
    setError(null);
    setSaid((before) => [...before, { role: 'user', content: message }]);
    const field = form.current?.elements.namedItem('message');
    if (field instanceof HTMLTextAreaElement) field.value = '';
    let isAccepted = false;
    try {
      const begun = await api.agents.invoke({
        agent_id: agentId,
        message,
        wait: false,
        ...(session ? { session_id: session } : {}),
        ...(session || Object.keys(state).length === 0 ? {} : { state }),
        ...(given.version ? { version: given.version } : {}),
        ...(Object.keys(named).length > 0 ? { secrets: named } : {}),
      });
      isAccepted = true;
      // Secrets are sent once: the next message asks again.
      setSecrets((before) => before.map(({ name }) => ({ name, value: '' })));
      if (signal.aborted) return;
      const { task_id, session_id } = begun as unknown as { task_id: string; session_id: string };
      setSession(session_id);
      await follow(task_id, signal);
    } catch (problem) {
      if (signal.aborted) return;
      setError(problem);
      // It was not said, and can be sent again, unless another message was begun meanwhile.
      if (isAccepted || !(field instanceof HTMLTextAreaElement) || field.value !== '') return;
      setSaid((before) => before.slice(0, -1));
      field.value = message;
    } finally {
      if (!signal.aborted) setIsBusy(false);
    }
  }

  const end = live?.end ?? null;
  return (
    <section class="card" aria-label="Try">
      <div class="head">
        <h2>Try</h2>
        {session && <button onClick={leaveSession}>New session</button>}
      </div>
      <Messages messages={said} />
      {live && !end && live.answer && <Messages messages={[{ role: 'assistant', content: live.answer }]} />}
      {live && (
        <div class="stack" role="status">
          {live.steps.map((step, n) => (
            <span class="soft" key={n}>
              {step}
            </span>
          ))}
          {!end && <Lamp state="RUNNING" />}
          {end && (
            <span>
              <Lamp state={end.status} failureClass={end.failure_class} />{' '}
              <span class="soft">
                {duration(end.duration_ms)} · {money(end.cost)} · {end.usage.total_tokens} tokens
              </span>{' '}
              <Link href={`/runs/task/${end.id}`}>Open the run</Link>{' '}
              {end.status === 'COMPLETED' && (
                <button class="plain" aria-disabled={!can('write')} onClick={() => can('write') && setIsAdding(true)}>
                  Add to test set
                </button>
              )}
            </span>
          )}
          {end?.status === 'FAILED' && <p class="why">{whyOf(end)}</p>}
        </div>
      )}
      {isAdding && end && (
        <AddToTestSet sources={[{ source_type: 'AGENT_TASK', source_id: end.id }]} close={() => setIsAdding(false)} />
      )}
      <Failure error={error} />
      <form
        class="stack"
        ref={form}
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void send();
        }}
      >
        <Field label="Message">
          <textarea
            name="message"
            rows={3}
            defaultValue={asked ?? 'hello'}
            {...(asked === undefined ? {} : { ref: focusOf })}
          />
        </Field>
        {fields.length > 0 && !session && (
          <details open={Object.keys(wrong).length > 0}>
            <summary>State of the session</summary>
            <SchemaForm field={stateForm} entered={entered} errors={wrong} change={setEntered} />
          </details>
        )}
        <Field label="Version" hint="Empty: the draft.">
          <input name="version" placeholder="draft" />
        </Field>
        <SecretFields secrets={secrets} change={setSecrets} />
        <div>
          <button class="primary" type="submit" aria-disabled={isBusy || !can('invoke')}>
            Send <kbd>Ctrl ↵</kbd>
          </button>
        </div>
      </form>
    </section>
  );
}
