import { useState } from 'preact/hooks';
import type { ManifestWorkflow, Workflow } from '@signalbox/sdk';
import { problemOf } from '../../api/problems.js';
import { usePortal } from '../../api/portal.js';
import { Diff } from '../../parts/diff.js';
import { Dialog } from '../../parts/dialog.js';
import { Empty } from '../../parts/empty.js';
import { Field, Form } from '../../parts/form.js';
import { Loaded } from '../../parts/loaded.js';
import { Table } from '../../parts/table.js';
import { Time } from '../../parts/time.js';

const DRAFT = 'draft';

export function Versions({
  workflow,
  isDirty,
  reload,
}: {
  workflow: Workflow;
  isDirty: boolean;
  reload: () => Promise<void>;
}) {
  const { api, can } = usePortal();
  const [from, setFrom] = useState<string | null>(null);
  const [to, setTo] = useState(DRAFT);
  const [restoring, setRestoring] = useState<string | null>(null);
  const id = workflow.id;
  return (
    <Loaded
      name={['workflow-versions', id, workflow.latest_version_number, 'all']}
      load={(signal) => api.workflows.listVersions({ workflow_id: id, limit: 100 }, { signal }).all()}
    >
      {(versions) => {
        const numbers = versions.map(({ version_number }) => version_number);
        const older = from ?? numbers[0];
        if (older === undefined)
          return <Empty title="Nothing is published. «Publish» freezes the draft into version 1.0.0." />;
        const choice = (label: string, value: string, choose: (value: string) => void) => (
          <Field label={label}>
            <select value={value} onChange={({ currentTarget }) => choose(currentTarget.value)}>
              {[DRAFT, ...numbers].map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          </Field>
        );
        return (
          <>
            <Table label="Versions" columns={['Version', 'Notes', 'Published']} actions>
              {versions.map(({ version_number, version_notes, date_created, is_latest }) => (
                <tr key={version_number}>
                  <td>
                    {version_number} {is_latest && <span class="soft">latest</span>}
                  </td>
                  <td>{version_notes || '–'}</td>
                  <td>
                    <Time at={date_created} />
                  </td>
                  <td class="actions">
                    <button
                      onClick={() => {
                        setFrom(version_number);
                        setTo(DRAFT);
                      }}
                    >
                      Compare
                    </button>
                    <button aria-disabled={!can('write')} onClick={() => can('write') && setRestoring(version_number)}>
                      Restore
                    </button>
                  </td>
                </tr>
              ))}
            </Table>
            <section class="card" aria-label="Compare">
              <div class="bar">
                {choice('From', older, setFrom)}
                {choice('To', to, setTo)}
              </div>
              <Difference id={id} from={older} to={to} draft={workflow.date_updated} />
            </section>
            {restoring !== null && (
              <Restore id={id} version={restoring} isDirty={isDirty} close={() => setRestoring(null)} done={reload} />
            )}
          </>
        );
      }}
    </Loaded>
  );
}

function settingsOf({ script: _script, meta, ...fields }: ManifestWorkflow): string {
  const { status: _status, application_name: _application, workflow_ref_name: _ref, ...frozen } = fields;
  const settings = { ...frozen, ...(meta && Object.keys(meta).length > 0 ? { meta } : {}) };
  const names = Object.keys(settings).sort() as (keyof typeof settings)[];
  return names.map((name) => `${name}: ${JSON.stringify(settings[name], null, 2)}`).join('\n');
}

function Difference({ id, from, to, draft }: { id: number; from: string; to: string; draft: number }) {
  const { api } = usePortal();
  const load = async (version: string, signal: AbortSignal): Promise<ManifestWorkflow> => {
    const { workflows } = await api.workflows.export(
      { workflow_id: id, ...(version === DRAFT ? {} : { version }) },
      { signal },
    );
    return workflows[0] ?? { workflow_ref_name: '' };
  };
  return (
    <Loaded
      name={['workflow-difference', id, from, to, draft]}
      load={(signal) => Promise.all([load(from, signal), load(to, signal)])}
    >
      {([before, after]) => (
        <>
          <Diff label="Script" from={before.script ?? ''} to={after.script ?? ''} />
          <Diff label="Settings and schemas" from={settingsOf(before)} to={settingsOf(after)} />
        </>
      )}
    </Loaded>
  );
}

function Restore({
  id,
  version,
  isDirty,
  close,
  done,
}: {
  id: number;
  version: string;
  isDirty: boolean;
  close: () => void;
  done: () => Promise<void>;
}) {
  const { api, say } = usePortal();
  async function restore(): Promise<void> {
    await api.workflows.restoreVersion({ workflow_id: id, version });
    close();
    say(`The draft is ${version} again.`);
    await done().catch((problem: unknown) => say(problemOf(problem)));
  }
  return (
    <Dialog title={`Restore ${version}`} close={close}>
      <Form submit={restore} action="Restore it">
        <p>
          The draft becomes a copy of {version}.{' '}
          {isDirty ? 'What you have changed and not saved is lost.' : 'Versions and releases stay as they are.'}
        </p>
      </Form>
    </Dialog>
  );
}
