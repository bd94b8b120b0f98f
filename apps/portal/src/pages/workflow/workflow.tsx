import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Workflow } from '@signalbox/sdk';
import { useQueryClient } from '@tanstack/preact-query';
import { useLocation, useParams } from 'wouter-preact';
import { problemOf } from '../../api/problems.js';
import { usePortal } from '../../api/portal.js';
import { Copy } from '../../parts/copy.js';
import { Lamp } from '../../parts/lamp.js';
import { Lifecycle } from '../../parts/lifecycle.js';
import { useKeyHints } from '../../parts/keys.js';
import { Loaded } from '../../parts/loaded.js';
import { useParam } from '../../parts/param.js';
import { Tabs } from '../../parts/tabs.js';
import { changesOf, problemsOf } from '../../rules/workflow-draft.js';
import { ReleasesOf } from '../releases/releases-of.js';
import { Build } from './build.js';
import { Publish } from './publish.js';
import { RunsOfWorkflow } from './run-rows.js';
import { useChecks } from './use-checks.js';
import { useDraft } from './use-draft.js';
import { Versions } from './versions.js';

const TABS = ['Build', 'Runs', 'Versions', 'Releases'] as const;
type Tab = (typeof TABS)[number];

export function WorkflowPage() {
  const { api } = usePortal();
  const id = Number(useParams<{ id: string }>().id);
  return (
    <Loaded
      name={['workflow', id]}
      load={(signal) => api.workflows.get({ workflow_id: id, include_script: true }, { signal })}
    >
      {(workflow) => <Page key={id} workflow={workflow} />}
    </Loaded>
  );
}

function Page({ workflow }: { workflow: Workflow }) {
  const { api, can, say } = usePortal();
  const [, go] = useLocation();
  const cache = useQueryClient();
  const [tab, setTab] = useParam('tab', 'Build');
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState<'save' | 'validate' | null>(null);
  const editing = useDraft(workflow);
  const checks = useChecks(editing.draft);
  const run = useRef<() => void>(() => undefined);
  const id = workflow.id;

  /** Ignores calls while one is in progress. */
  async function once<T>(what: 'save' | 'validate', call: () => Promise<T>): Promise<T | null> {
    if (busy !== null) return null;
    setBusy(what);
    setError(null);
    try {
      return await call();
    } catch (problem) {
      setError(problemOf(problem));
      return null;
    } finally {
      setBusy(null);
    }
  }

  async function save(): Promise<boolean> {
    const { draft, origin, isDirty } = editing;
    if (!isDirty) return true;
    if (!can('write')) return false;
    const wrong = problemsOf(draft);
    if (wrong.length > 0) {
      setError(`Not saved. ${wrong.join(' ')}`);
      return false;
    }
    const saved = await once('save', async () => {
      if ((await checks.check()).length > 0) {
        setError('Not saved: the script or a schema has problems, listed below it.');
        return null;
      }
      const changed = await api.workflows.update({ workflow_id: id, ...changesOf(origin, draft) });
      return { ...changed, script: draft.script };
    });
    if (!saved) return false;
    cache.setQueryData(['workflow', id], saved);
    editing.take(saved, draft);
    say('Saved.');
    return true;
  }
  const validate = async (): Promise<void> => {
    const problems = await once('validate', checks.check);
    if (problems?.length === 0) say('The script compiles, and the schemas are valid.');
  };
  const reload = async (): Promise<void> => {
    const fresh = await api.workflows.get({ workflow_id: id, include_script: true });
    cache.setQueryData(['workflow', id], fresh);
    editing.take(fresh);
  };

  useKeyHints([
    ['Ctrl S', 'save'],
    ['Ctrl Enter', 'run'],
  ]);
  const keys = useRef({ save, start: () => run.current() });
  keys.current = { save, start: () => (tab === 'Build' ? run.current() : undefined) };
  useLayoutEffect(() => {
    // Before the editor, which uses some of these keys.
    const onKeyDown = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || document.querySelector('dialog[open]')) return;
      if (event.key === 's') void keys.current.save();
      else if (event.key === 'Enter') keys.current.start();
      else return;
      event.preventDefault();
      event.stopPropagation();
    };
    document.addEventListener('keydown', onKeyDown, true);
    return () => document.removeEventListener('keydown', onKeyDown, true);
  }, []);

  return (
    <div class="page">
      <div class="head">
        <h1>{workflow.workflow_name}</h1>
        <Lamp state={workflow.status} />
        <code>{workflow.workflow_ref_name}</code>
        <Copy text={workflow.workflow_ref_name} label="Copy the name" />
        <span class="soft">
          workflow {id} ·{' '}
          {workflow.latest_version_number === null ? 'not published' : `latest ${workflow.latest_version_number}`}
          {workflow.has_unpublished_changes && workflow.latest_version_number !== null
            ? ', with unpublished changes'
            : ''}
        </span>
        <Publish workflow={workflow} save={save} done={reload} />
        <Lifecycle
          name={workflow.workflow_name}
          noun="workflow"
          isEnabled={workflow.status === 'ENABLED'}
          detaches="Detach it from the intents that it answers, if there are any"
          turns={{
            on: () => api.workflows.enable({ workflow_id: id }),
            off: () => api.workflows.disable({ workflow_id: id }),
          }}
          remove={(force) => api.workflows.delete({ workflow_id: id, force })}
          changed={() => void cache.invalidateQueries({ queryKey: ['workflow', id] })}
          gone={() => go('/workflows')}
        />
      </div>
      {error !== null && (
        <p class="error" role="alert">
          {error}
        </p>
      )}
      <Tabs label="Workflow" names={TABS} chosen={tab as Tab} choose={setTab}>
        {/* Stays mounted behind other tabs: a run continues, and typing can be undone. */}
        <div hidden={tab !== 'Build'}>
          <Build
            workflow={workflow}
            editing={editing}
            checks={checks}
            busy={busy}
            save={save}
            validate={validate}
            reload={reload}
            run={run}
          />
        </div>
        {tab === 'Runs' && <RunsOfWorkflow filters={{ workflow_id: id }} />}
        {tab === 'Versions' && <Versions workflow={workflow} isDirty={editing.isDirty} reload={reload} />}
        {tab === 'Releases' && (
          <ReleasesOf type="workflow" id={id} isPublished={workflow.latest_version_number !== null} />
        )}
      </Tabs>
    </div>
  );
}
