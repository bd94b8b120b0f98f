import { useEffect, useState } from 'preact/hooks';
import type { Workflow } from '@signalbox/sdk';
import { useUnsaved } from '../../parts/unsaved.js';
import { type Draft, draftOf, isEqual } from '../../rules/workflow-draft.js';

interface Edited {
  draft: Draft;
  /** The fields as they were when the editing began. */
  origin: Draft;
  /** Grows when the script comes from elsewhere than its editor. */
  revision: number;
}

/** What is edited of a workflow. */
export interface Editing extends Edited {
  isDirty: boolean;
  /** The workflow was changed elsewhere while it is edited here. */
  isStale: boolean;
  change: (part: Partial<Draft>) => void;
  /** Takes the fields of the workflow as they are. */
  take: (workflow: Workflow, sent?: Draft) => void;
}

/** What was not saved when the page was left by the back button: it is there when the page is opened again. */
const KEPT = new Map<number, Edited>();

const replaced = ({ draft, revision }: Edited, next: Draft): Edited => ({
  draft: next,
  origin: next,
  revision: draft.script === next.script ? revision : revision + 1,
});

/** The fields of a workflow while a person edits them. */
export function useDraft(workflow: Workflow): Editing {
  const base = draftOf(workflow);
  const [edited, setEdited] = useState<Edited>(
    () => KEPT.get(workflow.id) ?? { draft: base, origin: base, revision: 0 },
  );
  const { draft, origin, revision } = edited;
  const isDirty = !isEqual(draft, origin);
  const hasMoved = !isEqual(base, origin);
  useUnsaved(isDirty);
  useEffect(() => {
    if (isDirty) KEPT.set(workflow.id, edited);
    else KEPT.delete(workflow.id);
    if (!isDirty && hasMoved) setEdited((before) => replaced(before, base));
  });
  return {
    draft,
    origin,
    revision,
    isDirty,
    isStale: isDirty && hasMoved,
    change: (part) => setEdited((before) => ({ ...before, draft: { ...before.draft, ...part } })),
    take: (saved, sent) =>
      setEdited((before) => {
        const next = draftOf(saved);
        // What was typed while it was saved stays.
        const stays = sent !== undefined && !isEqual(before.draft, sent);
        return stays ? { ...before, origin: next } : replaced(before, next);
      }),
  };
}
