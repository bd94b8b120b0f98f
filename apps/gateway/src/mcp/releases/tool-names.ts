import type { McpRelease } from '@signalbox/contracts';

export interface KindOfRelease extends McpRelease {
  kind: 'agent' | 'workflow';
}

const MAX_LENGTH = 64;

const slugOf = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '') || 'unnamed';

/** A slug of parent name and release, with kind and id where that is ambiguous. */
export function toolNames<R extends KindOfRelease>(releases: readonly R[]): Map<string, R> {
  const plain = releases.map(({ parent_name, release }) => joined(slugOf(parent_name), `-${release}`));
  return new Map(
    releases.map((release, at) => {
      const name = plain[at] ?? '';
      const isShared = plain.filter((other) => other === name).length > 1;
      const suffix = `-${release.release}-${release.kind[0]}${release.parent_id}`;
      return [isShared ? joined(slugOf(release.parent_name), suffix) : name, release];
    }),
  );
}

/** Names differ at their end, so the beginning is cut. */
const joined = (name: string, suffix: string): string => {
  const end = suffix.slice(-MAX_LENGTH + 1);
  return `${name.slice(0, MAX_LENGTH - end.length)}${end}`;
};
