import { createHash, createHmac } from 'node:crypto';

/** The credentials of a signature and its region. */
export interface Signer {
  accessKey: string;
  secretKey: string;
  region: string;
}

/** The request to be signed; header names are in lower case and include `x-amz-date` and `x-amz-content-sha256`. */
export interface Unsigned {
  method: string;
  url: URL;
  headers: Record<string, string>;
}

const ALGORITHM = 'AWS4-HMAC-SHA256';

/** The `Authorization` header of AWS Signature Version 4 for S3; host and all given headers are signed. */
export function authorization({ method, url, headers }: Unsigned, { accessKey, secretKey, region }: Signer): string {
  const signed = Object.entries({ ...headers, host: url.host }).sort(([one], [other]) => (one < other ? -1 : 1));
  const names = signed.map(([name]) => name).join(';');
  const canonical = [
    method,
    canonicalPath(url),
    canonicalQuery(url),
    ...signed.map(([name, value]) => `${name}:${value.trim().replace(/ +/g, ' ')}`),
    '',
    names,
    headers['x-amz-content-sha256'] ?? '',
  ].join('\n');
  const time = headers['x-amz-date'] ?? '';
  const scope = [time.slice(0, 8), region, 's3', 'aws4_request'];
  const text = [ALGORITHM, time, scope.join('/'), hash(canonical)].join('\n');
  const key = scope.reduce<string | Buffer>((secret, part) => hmac(secret, part), `AWS4${secretKey}`);
  const signature = hmac(key, text).toString('hex');
  return `${ALGORITHM} Credential=${accessKey}/${scope.join('/')}, SignedHeaders=${names}, Signature=${signature}`;
}

/** Formats a time for a signature: `20130524T000000Z`. */
export const amzDate = (at: number): string => new Date(at).toISOString().replace(/[-:]|\.\d{3}/g, '');

/** The hash of a body in the form of a signature. */
export const hash = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** Percent-encodes all but the unreserved characters, more than `encodeURIComponent` does. */
export const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (found) => `%${found.charCodeAt(0).toString(16).toUpperCase()}`);

const canonicalPath = (url: URL): string =>
  url.pathname
    .split('/')
    .map((part) => encoded(decodeURIComponent(part)))
    .join('/');

const canonicalQuery = (url: URL): string =>
  [...url.searchParams]
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .sort()
    .join('&');
