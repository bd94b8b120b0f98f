import { useState } from 'preact/hooks';
import type { Workflow } from '@signalbox/sdk';
import { useQueryClient } from '@tanstack/preact-query';
import { usePortal } from '../../api/portal.js';
import { releasesOf } from '../../api/releases.js';
import { Dialog } from '../../parts/dialog.js';
import { Empty } from '../../parts/empty.js';
import { Field, Form } from '../../parts/form.js';
import { Loaded } from '../../parts/loaded.js';
import { Card } from '../releases/board.js';

/** Names that point at versions of this workflow, so that callers need not change: its card of the release board. */
export function Releases({ workflow }: { workflow: Workflow }) {
  const { api, can } = usePortal();
  const cache = useQueryClient();
  const [isNew, setIsNew] = useState(false);
  const { id } = workflow;
  if (workflow.latest_version_number === null)
    return <Empty title="A release is a name that points at a version. Publish a version first." />;
  const make = (
    <button class="primary" aria-disabled={!can('write')} onClick={() => can('write') && setIsNew(true)}>
      New release
    </button>
  );
  return (
    <Loaded
      name={['releases', 'workflow', id]}
      load={(signal) => api.releases.listAll({ parent_type: ['workflow'], parent_id: id, limit: 100 }, { signal })}
    >
      {({ data }, reload) => {
        const changed = (): void => {
          reload();
          void cache.invalidateQueries({ queryKey: ['workflow-releases', id] });
        };
        return (
          <>
            {data.length === 0 ? (
              <Empty title="A release is a name that points at a version, so that callers need not change.">
                {make}
              </Empty>
            ) : (
              <>
                <div>{make}</div>
                <Card releases={data} moved={changed} />
              </>
            )}
            {isNew && <NewRelease id={id} close={() => setIsNew(false)} made={changed} />}
          </>
        );
      }}
    </Loaded>
  );
}

function NewRelease({ id, close, made }: { id: number; close: () => void; made: () => void }) {
  const { api, say } = usePortal();
  const calls = releasesOf(api, 'workflow', id);
  async function make({ name = '', version = '' }: Record<string, string>) {
    await calls.create(name, version);
    say(`${name} is on ${version}.`);
    close();
    made();
  }
  return (
    <Dialog title="New release" close={close}>
      <Form submit={make} action="Make it">
        <Field label="Name" hint="Small letters, digits and hyphens, such as production.">
          <input name="name" class="mono" required maxLength={64} pattern="[a-z0-9][a-z0-9_\-]*" autofocus />
        </Field>
        <Loaded name={['versions', 'workflow', id]} load={calls.versions}>
          {(versions) => (
            <Field label="Version">
              <select name="version">
                {versions.map(({ version }) => (
                  <option key={version}>{version}</option>
                ))}
              </select>
            </Field>
          )}
        </Loaded>
      </Form>
    </Dialog>
  );
}
