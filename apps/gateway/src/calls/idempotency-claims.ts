import { createHmac } from 'node:crypto';
import { ApiError, type IdempotencyClaim } from '@signalbox/contracts';
import { canonicalJson } from './canonical-json.js';

const PRINTABLE = /^[\x20-\x7e]{1,255}$/;

export class IdempotencyClaims {
  private readonly secrets: Buffer[];

  /** The first key makes claims; while the master key changes, stored claims may have been made with the second. */
  constructor(keys: readonly string[]) {
    this.secrets = keys.map((key) => Buffer.from(key, 'hex'));
  }

  claim(header: string | string[], route: string, body: unknown): IdempotencyClaim {
    if (typeof header !== 'string' || !PRINTABLE.test(header))
      throw new ApiError('invalid', 'Idempotency-Key must be 1 to 255 printable ASCII characters');
    const text = canonicalJson(body ?? {});
    const [bodyHash = '', otherBodyHash] = this.secrets.map((secret) =>
      createHmac('sha256', secret).update(text).digest('base64url'),
    );
    return { key: header, route, bodyHash, ...(otherBodyHash === undefined ? {} : { otherBodyHash }) };
  }
}
