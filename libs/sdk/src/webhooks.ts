import { SignalboxError } from './errors.js';
import type { EventResource } from './generated/types.js';

/** As a webhook delivers it. */
export interface WebhookEvent {
  event_id: string;
  event: string;
  company_id: number;
  /** Epoch milliseconds. */
  occurred_at: number;
  resource: EventResource;
  data: unknown;
}

export interface VerifyOptions {
  /** Maximum difference between the time of the signature and now; default 300. */
  toleranceSeconds?: number;
  /** Epoch milliseconds; default the clock. */
  now?: number;
}

/** None of the secrets has signed the delivery, or the signature is too old. */
export class WebhookSignatureError extends SignalboxError {
  override name = 'WebhookSignatureError';
}

const DEFAULT_TOLERANCE_SECONDS = 300;
const ALGORITHM = { name: 'HMAC', hash: 'SHA-256' };

const bytesOf = (text: string | Uint8Array): Uint8Array<ArrayBuffer> =>
  typeof text === 'string' ? new TextEncoder().encode(text) : new Uint8Array(text);

function keyOf(secret: string): ReturnType<typeof crypto.subtle.importKey> {
  if (secret === '') throw new SignalboxError('the secret of the webhook is empty');
  return crypto.subtle.importKey('raw', bytesOf(secret), ALGORITHM, false, ['sign', 'verify']);
}

/** Time, full stop, body. */
function signedBytes(seconds: string, body: string | Uint8Array): Uint8Array<ArrayBuffer> {
  const [head, rest] = [bytesOf(`${seconds}.`), bytesOf(body)];
  const all = new Uint8Array(head.length + rest.length);
  all.set(head);
  all.set(rest, head.length);
  return all;
}

const fromHex = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

function partsOf(header: string): { seconds: string; signatures: string[] } {
  const parts = header.split(',').map((part) => part.trim().split('=', 2) as [string, string?]);
  const valuesOf = (name: string): string[] => parts.filter(([each]) => each === name).map(([, value = '']) => value);
  const [seconds = '', ...more] = valuesOf('t');
  const signatures = valuesOf('v1').filter((value) => /^[0-9a-f]{64}$/.test(value));
  if (!/^\d{1,12}$/.test(seconds) || more.length > 0 || signatures.length === 0)
    throw new WebhookSignatureError('the signature of the webhook is missing or malformed');
  return { seconds, signatures };
}

/**
 * Verifies the signature of a delivery and returns its event. The body must be the bytes as they arrived, before any
 * parser; during a rotation either secret suffices. Throws a WebhookSignatureError.
 *
 * @param signature the header `X-Service-Signature`
 * @param secret the secret of the webhook, `whs_…`, or several
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  signature: string | null | undefined,
  secret: string | readonly string[],
  { toleranceSeconds = DEFAULT_TOLERANCE_SECONDS, now = Date.now() }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const { seconds, signatures } = partsOf(signature ?? '');
  if (!(await isSigned(signedBytes(seconds, body), signatures, [secret].flat())))
    throw new WebhookSignatureError('the signature of the webhook is not that of its secret');
  // Compared last: without the secret nothing can be learnt about the clock.
  if (Math.abs(now / 1000 - Number(seconds)) > toleranceSeconds)
    throw new WebhookSignatureError(`the webhook was signed more than ${toleranceSeconds} s from now`);
  return JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body)) as WebhookEvent;
}

async function isSigned(text: Uint8Array<ArrayBuffer>, signatures: string[], secrets: string[]): Promise<boolean> {
  for (const secret of secrets) {
    const key = await keyOf(secret);
    for (const signature of signatures)
      if (await crypto.subtle.verify('HMAC', key, fromHex(signature), text)) return true;
  }
  return false;
}

/**
 * The header `X-Service-Signature` as the platform makes it, for tests of receivers.
 *
 * @param seconds the time of the signature in epoch seconds
 */
export async function signWebhook(
  body: string | Uint8Array,
  secret: string,
  seconds = Math.floor(Date.now() / 1000),
): Promise<string> {
  const signature = await crypto.subtle.sign('HMAC', await keyOf(secret), signedBytes(String(seconds), body));
  const hex = Array.from(new Uint8Array(signature), (byte) => byte.toString(16).padStart(2, '0')).join('');
  return `t=${seconds},v1=${hex}`;
}
