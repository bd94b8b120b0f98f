/** What the function `score` of a script has decided. */
export interface Scored {
  score: number;
  passed: boolean;
  description: string;
}

const MAX_SHOWN = 100;
const MAX_REASON = 2000;
const WANTED = 'a boolean, a number from 0 to 1, or an object with pass, score or both';

/** The decision, or a sentence that says why the value is none. */
export function scoredBy(returned: unknown, threshold: number): Scored | { problem: string } {
  if (typeof returned === 'boolean')
    return { score: returned ? 1 : 0, passed: returned, description: `the script returned ${returned}` };
  if (typeof returned === 'number')
    return isScore(returned)
      ? { score: returned, passed: returned >= threshold, description: `the script returned ${returned}` }
      : wrong(returned);
  if (typeof returned !== 'object' || returned === null || Array.isArray(returned)) return wrong(returned);
  const {
    pass = null,
    score = null,
    reason = null,
  } = returned as { pass?: unknown; score?: unknown; reason?: unknown };
  if (pass === null && score === null) return wrong(returned);
  if (pass !== null && typeof pass !== 'boolean') return wrong(returned, 'pass must be a boolean');
  if (score !== null && !isScore(score)) return wrong(returned, 'score must be a number from 0 to 1');
  if (reason !== null && typeof reason !== 'string') return wrong(returned, 'reason must be a text');
  const value = score ?? (pass ? 1 : 0);
  return {
    score: value,
    passed: pass ?? value >= threshold,
    description: reason === null ? `the script returned ${shown(returned)}` : cut(reason, MAX_REASON),
  };
}

const isScore = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 && value <= 1;

const wrong = (returned: unknown, why = `it must return ${WANTED}`): { problem: string } => ({
  problem: `the script returned ${returned === null ? 'nothing' : shown(returned)}: ${why}`,
});

const shown = (value: unknown): string => cut(JSON.stringify(value) ?? 'nothing', MAX_SHOWN);

const cut = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text);
