import { readFileSync } from 'node:fs';

/** What a process says about itself to an operator's command. */
export interface ProcessReport {
  id: string;
  /** The release, as in package.json. */
  release: string;
  node: string;
  /** Epoch milliseconds by the clock of its machine. */
  now: number;
  /** The most connections to Postgres that its pools open. */
  connections: number;
  /** How far a runner keeps scripts apart from the system; of runners alone. */
  script_jail?: string;
}

/** The facts that parts of this process have added. */
const facts: Pick<ProcessReport, 'connections' | 'script_jail'> = { connections: 0 };

/** Counts the connections of a pool of this process. */
export function reportConnections(max: number): void {
  facts.connections += max;
}

/** Names the jail in which this process executes scripts. */
export function reportScriptJail(level: string): void {
  facts.script_jail = level;
}

/** The release of this program; unknown where its package.json is not installed. */
export function releaseOf(): string {
  try {
    const text = readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8');
    return (JSON.parse(text) as { version: string }).version;
  } catch {
    return 'unknown';
  }
}

/** The report of this process under its id on the bus. */
export const processReport = (id: string): ProcessReport => ({
  id,
  release: releaseOf(),
  node: process.version,
  now: Date.now(),
  ...facts,
});
