import { Failure } from '../../parts/failure.js';
import { type MutableRef, useRef, useState } from 'preact/hooks';
import type { Workflow, WorkflowRun } from '@signalbox/sdk';
import { useQueryClient } from '@tanstack/preact-query';
import { Link } from 'wouter-preact';
import { usePortal } from '../../api/portal.js';
import { Artifacts } from '../../parts/artifacts.js';
import { CancelWorkflowRun } from '../../parts/cancel-workflow-run.js';
import type { CodeProblem } from '../../parts/editor/editor.js';
import { JsonView } from '../../parts/json-view.js';
import { Lamp } from '../../parts/lamp.js';
import { RunLog } from '../../parts/run-log.js';
import { follow } from '../../parts/run-stream.js';
import { type Secret, SecretFields, secretsOf } from '../../parts/secret-fields.js';
import { duration, money } from '../../rules/formats.js';
import { type LiveRun, NOTHING_SEEN, scriptLineOf } from '../../rules/live-run.js';
import type { Schema } from '../../rules/schema-fields.js';
import { whyOf } from '../../rules/why.js';
import { InputForm, type InputState, useInput } from './input-form.js';
import { TargetChoice } from './target-choice.js';

interface Props {
  workflow: Workflow;
  schema: Schema | null;
  prepare: () => Promise<boolean>;
  run: MutableRef<() => void>;
  /** Gets the line of the script that threw; null when the next run begins. */
  thrown: (problem: CodeProblem | null) => void;
}

interface Shown {
  seen: LiveRun;
  end: WorkflowRun | null;
}

/** Empty for the draft. */
const targetOf = (chosen: string): { version?: string; release?: string } => {
  const [kind, name = ''] = chosen.split(':');
  return kind === 'version' ? { version: name } : kind === 'release' ? { release: name } : {};
};

export function RunSide({ workflow, schema, prepare, run, thrown }: Props) {
  const { api, can } = usePortal();
  const cache = useQueryClient();
  const input = useInput(schema);
  const [target, setTarget] = useState('');
  const [secrets, setSecrets] = useState<Secret[]>([]);
  const [shown, setShown] = useState<Shown | null>(null);
  const [error, setError] = useState<unknown>(null);
  const isBusy = useRef(false);

  async function execute(value: unknown): Promise<void> {
    const given = secretsOf(secrets);
    const stream = api.workflows.execute({
      workflow_id: workflow.id,
      mode: 'stream',
      ...(value === undefined ? {} : { input: value }),
      ...targetOf(target),
      ...(Object.keys(given).length > 0 ? { secrets: given } : {}),
    });
    // Secrets are sent once: the next run asks again.
    setSecrets(secrets.map(({ name }) => ({ name, value: '' })));
    setShown({ seen: NOTHING_SEEN, end: null });
    const { runId } = await follow(stream, (seen) => setShown({ seen, end: null }));
    if (runId === null) return;
    const end = await api.workflows.getRun({ run_id: runId });
    setShown((before) => before && { ...before, end });
    const line = scriptLineOf(end.error_message);
    if (line !== null && target === '')
      thrown({ line, message: (end.error_message ?? '').replace(/^line \d+(, column \d+)?: /, '') });
    await cache.invalidateQueries({ queryKey: ['workflow-runs'] });
  }

  async function start(): Promise<void> {
    if (isBusy.current || !can('invoke')) return;
    isBusy.current = true;
    setError(null);
    thrown(null);
    try {
      const read = input.read();
      if (read.isGood && (target !== '' || (await prepare()))) await execute(read.value);
    } catch (problem) {
      setShown(null);
      setError(problem);
    } finally {
      isBusy.current = false;
    }
  }
  run.current = () => void start();
  const isRunning = shown !== null && shown.end === null && error === null;
  return (
    <section class="card run-side" aria-label="Run">
      <div class="head">
        <h2>Run</h2>
        <span class="grow" />
        <TargetChoice workflow={workflow} chosen={target} choose={setTarget} />
        <button class="primary" aria-disabled={isRunning || !can('invoke')} onClick={() => void start()}>
          Run <kbd>Ctrl ↵</kbd>
        </button>
      </div>
      <Inputs input={input} secrets={secrets} setSecrets={setSecrets} />
      <Failure error={error} />
      {shown && <Result shown={shown} />}
    </section>
  );
}

const Inputs = ({
  input,
  secrets,
  setSecrets,
}: {
  input: InputState;
  secrets: Secret[];
  setSecrets: (secrets: Secret[]) => void;
}) => (
  <>
    <InputForm input={input} />
    <SecretFields secrets={secrets} change={setSecrets} />
  </>
);

function Result({ shown: { seen, end } }: { shown: Shown }) {
  const runId = seen.runId;
  return (
    <div class="stack result">
      <div class="head" role="status">
        {end ? (
          <Lamp state={end.status} failureClass={end.failure_class} />
        ) : (
          <Lamp state={seen.startedAt === null ? 'QUEUED' : 'RUNNING'} />
        )}
        {end && (
          <span class="soft">
            {duration(end.duration_ms)} · {money(end.cost)} · {end.usage.total_tokens.toLocaleString('en-US')} tokens
          </span>
        )}
        <span class="grow" />
        {!end && runId !== null && <CancelWorkflowRun id={runId} />}
        {runId !== null && <Link href={`/runs/workflow/${runId}`}>Open the run</Link>}
      </div>
      {end && (end.status === 'FAILED' || end.status === 'TIMED_OUT') && (
        <p class={`why ${end.failure_class === 'quality' ? '' : 'odd'}`}>{whyOf(end)}</p>
      )}
      {end?.status === 'COMPLETED' && <JsonView label="Output" value={end.output} />}
      {end && runId !== null && <Artifacts runId={runId} state={end.status} empty="" />}
      {seen.lines.length > 0 && <RunLog seen={seen} />}
    </div>
  );
}
