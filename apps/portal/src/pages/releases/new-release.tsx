import { useState } from 'preact/hooks';
import { usePortal } from '../../api/portal.js';
import { type ParentType, releasesOf } from '../../api/releases.js';
import { Dialog } from '../../parts/dialog.js';
import { Field, Form } from '../../parts/form.js';
import { Loaded } from '../../parts/loaded.js';

interface Parent {
  type: ParentType;
  id: number;
  name: string;
}

export function NewRelease({ close, made }: { close: () => void; made: () => void }) {
  const { api } = usePortal();
  const [chosen, setChosen] = useState('');
  const load = async (signal: AbortSignal): Promise<Parent[]> => {
    const [agents, workflows, monitors] = await Promise.all([
      api.agents.list({ limit: 100 }, { signal }).all(),
      api.workflows.list({ limit: 100 }, { signal }).all(),
      api.monitors.list({ limit: 100 }, { signal }).all(),
    ]);
    return [
      ...agents.map(({ id, agent_name }) => ({ type: 'agent' as const, id, name: agent_name })),
      ...workflows.map(({ id, workflow_name }) => ({ type: 'workflow' as const, id, name: workflow_name })),
      ...monitors.map(({ id, name }) => ({ type: 'monitor' as const, id, name })),
    ];
  };
  return (
    <Dialog title="New release" close={close}>
      <Loaded name={['releasable']} load={load}>
        {(parents) => {
          const parent = parents.find(({ type, id }) => `${type}/${id}` === chosen);
          return (
            <Form
              action="Make it"
              submit={async ({ name = '', version = '' }) => {
                if (!parent) return;
                await releasesOf(api, parent.type, parent.id).create(name, version);
                made();
                close();
              }}
            >
              <Field label="Of">
                <select required value={chosen} onChange={({ currentTarget }) => setChosen(currentTarget.value)}>
                  <option value="">choose</option>
                  {parents.map(({ type, id, name }) => (
                    <option key={`${type}/${id}`} value={`${type}/${id}`}>
                      {name} ({type})
                    </option>
                  ))}
                </select>
              </Field>
              {parent && (
                <Loaded
                  name={['versions', parent.type, parent.id]}
                  load={releasesOf(api, parent.type, parent.id).versions}
                >
                  {(versions) => (
                    <Field label="Version" hint={versions.length === 0 ? 'Nothing is published yet.' : ''}>
                      <select name="version" required>
                        {versions.map(({ version }) => (
                          <option key={version}>{version}</option>
                        ))}
                      </select>
                    </Field>
                  )}
                </Loaded>
              )}
              <Field label="Name" hint="Small letters, digits and hyphens, such as production.">
                <input name="name" required pattern="[a-z0-9][a-z0-9\-]*" maxLength={100} />
              </Field>
            </Form>
          );
        }}
      </Loaded>
    </Dialog>
  );
}
