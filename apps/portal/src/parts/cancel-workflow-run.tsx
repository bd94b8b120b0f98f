import { useState } from 'preact/hooks';
import { usePortal } from '../api/portal.js';
import { Question } from './question.js';
import { ScopedButton } from './scoped-button.js';

export function CancelWorkflowRun({ id: run_id, done }: { id: string; done?: () => void }) {
  const { api } = usePortal();
  const [isAsked, setIsAsked] = useState(false);
  async function cancel(): Promise<void> {
    await api.workflows.cancelRun({ run_id });
    done?.();
  }
  return (
    <>
      <ScopedButton scope="invoke" kind="danger" act={() => setIsAsked(true)}>
        Cancel
      </ScopedButton>
      {isAsked && (
        <Question title="Cancel this run?" action="Cancel the run" act={cancel} close={() => setIsAsked(false)}>
          <p>What it has done stays. It cannot be taken back.</p>
        </Question>
      )}
    </>
  );
}
