import { conflict, type CorrectedChoice, type Correction } from '@signalbox/contracts';

export interface KnownRequest {
  request_id: string;
  status: 'COMPLETED' | 'FAILED';
  has_response: boolean;
  corrected_response: Correction | null;
}

/** 409 for a request without an answer. */
export function correct(
  { request_id, status, has_response }: KnownRequest,
  given: { choices: CorrectedChoice[]; note?: string | null | undefined; keyId: number | null; now: number },
): Correction {
  if (status === 'FAILED' && !has_response) throw conflict(`request ${request_id} is FAILED and has no response`);
  const { choices, note = null, keyId, now } = given;
  return { choices, note, key_id: keyId, date_updated: now };
}

export function requireCorrected({ request_id, corrected_response }: KnownRequest): void {
  if (corrected_response === null) throw conflict(`request ${request_id} is not corrected`);
}
