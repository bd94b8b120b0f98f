/** How a part of the platform is: a warning needs attention later, a problem now. */
export type State = 'ok' | 'warning' | 'problem';

/** One line of the report. */
export interface Finding {
  /** What was looked at. */
  area: string;
  state: State;
  found: string;
  /** What the operator can do; empty for what is ok. */
  advice: string;
}

export const ok = (area: string, found: string): Finding => ({ area, state: 'ok', found, advice: '' });
export const warning = (area: string, found: string, advice: string): Finding => ({
  area,
  state: 'warning',
  found,
  advice,
});
export const problem = (area: string, found: string, advice: string): Finding => ({
  area,
  state: 'problem',
  found,
  advice,
});

/** The message of anything that was thrown. */
export const reasonOf = (error: unknown): string => (error instanceof Error && error.message) || String(error);

/** The findings of a check; one that cannot look has found a problem. */
export async function checked(area: string, advice: string, look: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await look();
  } catch (error) {
    return [problem(area, reasonOf(error), advice)];
  }
}

const SHOWN = 5;

/** The first of several faults, with the number of the others. */
export function listed(faults: readonly string[]): string {
  const more = faults.length - SHOWN;
  return `${faults.slice(0, SHOWN).join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}
