import { useState } from 'preact/hooks';
import type { Workflow } from '@signalbox/sdk';
import { useQueryClient } from '@tanstack/preact-query';
import { usePortal } from '../../api/portal.js';
import { type Increment, PublishDialog } from '../../parts/publish-dialog.js';

/** Saves unsaved changes first. */
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
  async function publish(version_notes: string, bump_type: Increment) {
    const { version_number } = await api.workflows.publishVersion({
      workflow_id: workflow.id,
      version_notes,
      bump_type,
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
        <PublishDialog latest={workflow.latest_version_number} publish={publish} close={() => setIsOpen(false)} />
      )}
    </>
  );
}
