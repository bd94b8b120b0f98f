import { useEffect, useState } from 'preact/hooks';
import type { Step } from '../../rules/timeline.js';
import type { LoadedSteps } from './use-timeline.js';

interface Options {
  named: string;
  hasFailed: boolean;
  /** Causes of the failure, first one first. */
  errors: readonly Step[];
  /** The reader has chosen a step or moved through the list. */
  isTouched: () => boolean;
  show: (step: Step) => void;
}

/**
 * Shows one step when a timeline opens, as soon as it is loaded: the one in the address, else the first error of a
 * failed run. `isOver`: it was shown, does not exist, or the reader was faster.
 */
export function useFirstStep({ steps, revision, events, total }: LoadedSteps, options: Options): { isOver: boolean } {
  const { named, hasFailed, errors, isTouched, show } = options;
  // Fixed when the page opens: a run that fails later moves nothing. Without a key: the first error.
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
