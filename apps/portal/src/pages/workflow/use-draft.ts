import { useEffect, useState } from 'preact/hooks';
import type { Workflow } from '@signalbox/sdk';
import { useUnsaved } from '../../parts/unsaved.js';
import { type Draft, draftOf, isEqual } from '../../rules/workflow-draft.js';

interface Edited {
  draft: Draft;
  origin: Draft;
  /** Increases when the script changes outside its editor. */
  revision: number;
}

export interface Editing extends Edited {
  isDirty: boolean;
  isStale: boolean;
  change: (part: Partial<Draft>) => void;
  take: (workflow: Workflow, sent?: Draft) => void;
}

const replaced = ({ draft, revision }: Edited, next: Draft): Edited => ({
  draft: next,
  origin: next,
  revision: draft.script === next.script ? revision : revision + 1,
});

export function useDraft(workflow: Workflow): Editing {
  const base = draftOf(workflow);
  const [edited, setEdited] = useState<Edited>({ draft: base, origin: base, revision: 0 });
  const { draft, origin, revision } = edited;
  const isDirty = !isEqual(draft, origin);
  const hasMoved = !isEqual(base, origin);
  useUnsaved(isDirty);
  useEffect(() => {
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
        // Keep what was typed during the save.
        const stays = sent !== undefined && !isEqual(before.draft, sent);
        return stays ? { ...before, origin: next } : replaced(before, next);
      }),
  };
}
