import { createHash } from 'node:crypto';

/**
 * The id of the run of a workflow that judges, a UUID that follows from what is judged: a worker that takes the judgement
 * over finds the run of a lost one, and another attempt is another run.
 */
export function judgementId(companyId: number, judged: string): string {
  const hex = createHash('sha256').update(`monitors ${companyId} ${judged}`).digest('hex');
  // Version 8 and the variant of RFC 9562.
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}
