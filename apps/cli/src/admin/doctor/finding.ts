/** A warning needs attention later, a problem now. */
export type State = 'ok' | 'warning' | 'problem';

export interface Finding {
  area: string;
  state: State;
  found: string;
  /** What the operator can do; empty for `ok`. */
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

export const reasonOf = (error: unknown): string => (error instanceof Error && error.message) || String(error);

/** A check that fails is a problem. */
export async function checked(area: string, advice: string, look: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await look();
  } catch (error) {
    return [problem(area, reasonOf(error), advice)];
  }
}

const SHOWN = 5;

export function listed(faults: readonly string[]): string {
  const more = faults.length - SHOWN;
  return `${faults.slice(0, SHOWN).join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}
