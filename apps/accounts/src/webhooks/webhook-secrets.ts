import { createHmac } from 'node:crypto';
import { base62, Seal, WEBHOOK_KIND, webhookContext } from '@signalbox/platform';

const SECRET_CHARS = 40;

export const newSecret = (): string => `whs_${base62(SECRET_CHARS)}`;

/** Value of `X-Service-Signature`; see docs/api/events.md. */
export function signatureOf(secrets: readonly string[], body: string, seconds: number): string {
  const signatures = secrets.map((secret) => createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex'));
  return [`t=${seconds}`, ...signatures.map((signature) => `v1=${signature}`)].join(',');
}

export class WebhookSeal {
  readonly #seal: Seal;

  /** The first key seals; all of them open. */
  constructor(keys: readonly string[]) {
    this.#seal = new Seal(WEBHOOK_KIND, keys);
  }

  seal(companyId: number, secret: string): Buffer {
    return this.#seal.seal(webhookContext(companyId), secret);
  }

  open(companyId: number, sealed: Buffer): string {
    return this.#seal.open(webhookContext(companyId), sealed);
  }
}
