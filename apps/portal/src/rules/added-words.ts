import { count } from './formats.js';

interface Added {
  created: number;
  existing: number;
  failed: readonly unknown[];
}

export function addedWords({ created, existing, failed }: Added): string {
  const were = existing === 1 ? 'was' : 'were';
  const words = [`${count(created)} added`, `${count(existing)} ${were} there already`];
  if (failed.length > 0) words.push(`${count(failed.length)} could not be added`);
  return `${words.join(', ')}.`;
}
