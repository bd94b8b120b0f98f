import { useEffect, useState } from 'preact/hooks';
import type { Step } from '../../rules/timeline.js';
import type { LoadedSteps } from './use-timeline.js';

interface Options {
  /** The step that the address names; empty for none. */
  named: string;
  hasFailed: boolean;
  /** Those that say why a run failed, the first one first. */
  errors: readonly Step[];
  /** The reader has chosen a step or moved through the list. */
  isTouched: () => boolean;
  show: (step: Step) => void;
}

/**
 * Shows one step when a timeline opens, as soon as it is loaded: the one that the address names, else the first error of a
 * failed run. `isOver` = it was shown, is not there, or the reader was faster.
 */
export function useFirstStep({ steps, revision, events, total }: LoadedSteps, options: Options): { isOver: boolean } {
  const { named, hasFailed, errors, isTouched, show } = options;
  // As it was when the timeline was opened: a run that fails in view moves nothing. Without a key it is the first error.
  const [wanted, setWanted] = useState<{ key?: string } | null>(named !== '' ? { key: named } : hasFailed ? {} : null);
  useEffect(() => {
    if (wanted === null || total === null) return;
    const step = wanted.key === undefined ? errors[0] : steps.find(({ key }) => key === wanted.key);
    const isTaken = isTouched();
    if (!step && !isTaken && events < total) return;
    if (step && !isTaken) show(step);
    setWanted(null);
  }, [revision]);
  return { isOver: wanted === null };
}
