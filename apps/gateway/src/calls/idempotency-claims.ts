import { createHmac } from 'node:crypto';
import { ApiError, type IdempotencyClaim } from '@signalbox/contracts';
import { canonicalJson } from './canonical-json.js';

const PRINTABLE = /^[\x20-\x7e]{1,255}$/;

/** Converts the header of a POST into the claim that travels with the call. */
export class IdempotencyClaims {
  private readonly secret: Buffer;

  constructor(key: string) {
    this.secret = Buffer.from(key, 'hex');
  }

  claim(header: string | string[], route: string, body: unknown): IdempotencyClaim {
    if (typeof header !== 'string' || !PRINTABLE.test(header))
      throw new ApiError('invalid', 'Idempotency-Key must be 1 to 255 printable ASCII characters');
    const bodyHash = createHmac('sha256', this.secret)
      .update(canonicalJson(body ?? {}))
      .digest('base64url');
    return { key: header, route, bodyHash };
  }
}
