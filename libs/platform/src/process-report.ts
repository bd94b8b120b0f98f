import { readFileSync } from 'node:fs';

export interface ProcessReport {
  id: string;
  release: string;
  node: string;
  /** Epoch ms by the clock of its machine. */
  now: number;
  connections: number;
  script_jail?: string;
}

const facts: Pick<ProcessReport, 'connections' | 'script_jail'> = { connections: 0 };

export function reportConnections(max: number): void {
  facts.connections += max;
}

export function reportScriptJail(level: string): void {
  facts.script_jail = level;
}

/** `unknown` where package.json is not installed. */
export function releaseOf(): string {
  try {
    const text = readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8');
    return (JSON.parse(text) as { version: string }).version;
  } catch {
    return 'unknown';
  }
}

export const processReport = (id: string): ProcessReport => ({
  id,
  release: releaseOf(),
  node: process.version,
  now: Date.now(),
  ...facts,
});
