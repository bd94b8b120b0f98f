import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export interface ObjectServerKeys {
  accessKey: string;
  secretKey: string;
  region: string;
}

const HEADER =
  /^AWS4-HMAC-SHA256 Credential=([^,]+)\/(\d{8})\/([^/,]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/;
const SKEW_MS = 15 * 60_000;

/** The error code of S3; null when the signature matches the received request. */
export function refusal(request: IncomingMessage, body: Buffer, keys: ObjectServerKeys): string | null {
  const { headers } = request;
  const [, accessKey, day = '', region, names = '', signature = ''] = HEADER.exec(headers.authorization ?? '') ?? [];
  const time = String(headers['x-amz-date'] ?? '');
  if (accessKey === undefined) return 'AccessDenied';
  if (accessKey !== keys.accessKey) return 'InvalidAccessKeyId';
  if (region !== keys.region || !time.startsWith(day)) return 'AuthorizationHeaderMalformed';
  if (!(Math.abs(Date.now() - timeOf(time)) < SKEW_MS)) return 'RequestTimeTooSkewed';
  if (headers['x-amz-content-sha256'] !== sha256(body)) return 'XAmzContentSHA256Mismatch';
  if (!signsEnough(request, names.split(';'))) return 'AccessDenied';
  const expected = signatureOf(request, names, [day, region, 's3', 'aws4_request'], keys.secretKey);
  return timingSafeEqual(Buffer.from(expected), Buffer.from(signature)) ? null : 'SignatureDoesNotMatch';
}

/** Host and every header that the store interprets have to be signed, in order. */
function signsEnough({ headers }: IncomingMessage, names: string[]): boolean {
  const meant = Object.keys(headers).filter((name) => name === 'host' || name.startsWith('x-amz-'));
  return meant.every((name) => names.includes(name)) && names.join() === [...names].sort().join();
}

function signatureOf(request: IncomingMessage, names: string, scope: string[], secretKey: string): string {
  const { method = '', url = '', headers } = request;
  const at = url.indexOf('?');
  const path = at < 0 ? url : url.slice(0, at);
  // Taken as received: like S3, refuses a client that encodes differently.
  const query = at < 0 ? [] : url.slice(at + 1).split('&');
  const lines = names.split(';').map((name) => `${name}:${String(headers[name] ?? '').trim()}\n`);
  const hash = String(headers['x-amz-content-sha256']);
  const canonical = `${method}\n${path}\n${query.sort().join('&')}\n${lines.join('')}\n${names}\n${hash}`;
  const text = `AWS4-HMAC-SHA256\n${String(headers['x-amz-date'])}\n${scope.join('/')}\n${sha256(canonical)}`;
  let key: Buffer = Buffer.from(`AWS4${secretKey}`);
  for (const part of [...scope, text]) key = createHmac('sha256', key).update(part).digest();
  return key.toString('hex');
}

const sha256 = (bytes: string | Buffer): string => createHash('sha256').update(bytes).digest('hex');

const timeOf = (time: string): number =>
  Date.parse(time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
