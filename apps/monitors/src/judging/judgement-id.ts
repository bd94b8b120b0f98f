import { derivedUuid } from '@signalbox/platform';

/**
 * The id of the call of a judging model or of the run of a judging workflow: a UUID derived from what is judged. A
 * worker that takes over a judgement gets the answer that a lost worker asked for; another attempt gets another id.
 */
export const judgementId = (companyId: number, judged: string): string =>
  derivedUuid(`monitors ${companyId} ${judged}`);
