import type { SecretBag } from '@signalbox/egress';
import { stripUnstorable } from '@signalbox/runs';
import { failed, type ItemResult } from './item-result.js';

/** The call has been made and paid for: a result that cannot be stored must not lead to another one. */
export function storableResult(result: ItemResult, secrets: SecretBag | undefined): ItemResult {
  try {
    return stripUnstorable(result, secrets);
  } catch {
    return failed('internal', null, 'the result cannot be stored', result.source_ref, result.usage);
  }
}
