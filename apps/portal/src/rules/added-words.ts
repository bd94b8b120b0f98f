import { count } from './formats.js';

/** What an import into a test set came to. */
interface Added {
  created: number;
  existing: number;
  failed: readonly unknown[];
}

/** Says how many were taken, how many were there already, and how many could not be taken. */
export function addedWords({ created, existing, failed }: Added): string {
  const were = existing === 1 ? 'was' : 'were';
  const words = [`${count(created)} added`, `${count(existing)} ${were} there already`];
  if (failed.length > 0) words.push(`${count(failed.length)} could not be added`);
  return `${words.join(', ')}.`;
}
