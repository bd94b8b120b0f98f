const WORDS: Readonly<Record<string, string>> = { EXTERNAL: 'elsewhere' };

/** How a run was started, who made a request, or another value of the API, in words. */
export const valueWords = (value: string): string => WORDS[value] ?? value.toLowerCase().replaceAll('_', ' ');

/** Which version a task ran on. Programs elsewhere may report none, or one that is no number of ours. */
export function versionWords({
  version,
  reported_version,
  trigger,
}: {
  version: string | null;
  reported_version: string | null;
  trigger: string;
}): string {
  return version ?? reported_version ?? (trigger === 'EXTERNAL' ? '–' : 'draft');
}
