const WORDS: Readonly<Record<string, string>> = { EXTERNAL: 'elsewhere' };

export const valueWords = (value: string): string => WORDS[value] ?? value.toLowerCase().replaceAll('_', ' ');

/** External programs may report none, or one that is not a version number of the platform. */
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
