import { useState } from 'preact/hooks';
import type { Workflow } from '@signalbox/sdk';
import { useQueryClient } from '@tanstack/preact-query';
import { usePortal } from '../../api/portal.js';
import { Dialog } from '../../parts/dialog.js';
import { Field, Form } from '../../parts/form.js';

/** Freezes the draft into a version; what is not saved yet is saved first. */
export function Publish({
  workflow,
  save,
  done,
}: {
  workflow: Workflow;
  save: () => Promise<boolean>;
  done: () => Promise<void>;
}) {
  const { api, can, say } = usePortal();
  const cache = useQueryClient();
  const [isOpen, setIsOpen] = useState(false);
  const begin = async (): Promise<void> => {
    if (can('write') && (await save())) setIsOpen(true);
  };
  async function publish({ version_notes = '', bump_type = 'minor' }: Record<string, string>) {
    const { version_number } = await api.workflows.publishVersion({
      workflow_id: workflow.id,
      version_notes,
      bump_type: bump_type as 'minor',
    });
    setIsOpen(false);
    say(`Published ${version_number}.`);
    await Promise.all([
      done(),
      cache.invalidateQueries({ queryKey: ['workflow-versions', workflow.id] }),
      cache.invalidateQueries({ queryKey: ['versions', 'workflow', workflow.id] }),
    ]);
  }
  return (
    <>
      <button class="primary" aria-disabled={!can('write')} onClick={() => void begin()}>
        Publish
      </button>
      {isOpen && (
        <Dialog title="Publish the draft" close={() => setIsOpen(false)}>
          <Form submit={publish} action="Publish it">
            <p class="soft">
              {workflow.latest_version_number === null
                ? 'This becomes version 1.0.0, which never changes.'
                : `The latest version is ${workflow.latest_version_number}. The new one never changes.`}
            </p>
            {workflow.latest_version_number !== null && (
              <Field label="Part of the number that grows">
                <select name="bump_type">
                  <option>minor</option>
                  <option>patch</option>
                  <option>major</option>
                </select>
              </Field>
            )}
            <Field label="What changed">
              <textarea name="version_notes" rows={3} maxLength={2000} autofocus />
            </Field>
          </Form>
        </Dialog>
      )}
    </>
  );
}
