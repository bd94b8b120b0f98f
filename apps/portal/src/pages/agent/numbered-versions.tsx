import { useState } from 'preact/hooks';
import type { Agent } from '@signalbox/sdk';
import { useQueryClient } from '@tanstack/preact-query';
import { usePortal } from '../../api/portal.js';
import { Dialog } from '../../parts/dialog.js';
import { Field, Form } from '../../parts/form.js';
import { ScopedButton } from '../../parts/scoped-button.js';
import { Versions } from './versions.js';

export function NumberedVersions({ agent: { id: agent_id }, changed }: { agent: Agent; changed: () => void }) {
  const { api, say } = usePortal();
  const cache = useQueryClient();
  const [isNew, setIsNew] = useState(false);
  async function add({ version = '', version_notes = '' }: Record<string, string>): Promise<void> {
    await api.agents.publishVersion({ agent_id, version, version_notes });
    setIsNew(false);
    say(`Version ${version} is added.`);
    changed();
    await cache.invalidateQueries({ queryKey: ['versions'] });
  }
  return (
    <>
      <div>
        <ScopedButton scope="write" kind="primary" act={() => setIsNew(true)}>
          Add a version
        </ScopedButton>
      </div>
      <Versions id={agent_id} empty="No version is known. Traces report them, or add one before it is deployed." />
      {isNew && (
        <Dialog title="Add a version" close={() => setIsNew(false)}>
          <Form action="Add it" submit={add}>
            <Field label="Version" hint="The number that the program reports, such as 1.4.0.">
              <input name="version" class="mono" required pattern="\d+\.\d+\.\d+" maxLength={64} autofocus />
            </Field>
            <Field label="What changed">
              <textarea name="version_notes" rows={3} maxLength={2000} />
            </Field>
          </Form>
        </Dialog>
      )}
    </>
  );
}
