import { createHash } from 'node:crypto';

/**
 * The run id of a judging workflow: a UUID derived from what is judged. A worker that takes over a judgement finds the
 * run of a lost worker; another attempt gets another id.
 */
export function judgementId(companyId: number, judged: string): string {
  const hex = createHash('sha256').update(`monitors ${companyId} ${judged}`).digest('hex');
  // UUID version 8 with the variant of RFC 9562.
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}
