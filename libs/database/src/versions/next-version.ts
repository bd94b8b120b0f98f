import type { Increment } from '@signalbox/contracts';

export function nextVersion(latest: string | null, increment: Increment): string {
  if (latest === null) return '1.0.0';
  const [major = 0, minor = 0, patch = 0] = latest.split('.').map(Number);
  if (increment === 'major') return `${major + 1}.0.0`;
  return increment === 'minor' ? `${major}.${minor + 1}.0` : `${major}.${minor}.${patch + 1}`;
}

export function isHigherVersion(version: string, other: string): boolean {
  const [of, before] = [version, other].map((each) => each.split('.').map(Number)) as [number[], number[]];
  const differing = of.findIndex((part, at) => part !== before[at]);
  return differing >= 0 && (of[differing] ?? 0) > (before[differing] ?? 0);
}
