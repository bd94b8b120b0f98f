export interface S3Address {
  origin: string;
  /** Host and port, as an allow-list entry. */
  authority: string;
  bucket: string;
  /** Empty or ending with a slash. */
  prefix: string;
  accessKey: string;
  secretKey: string;
  sessionToken: string | null;
  region: string;
  /** A PEM file; null for the authorities that Node.js trusts. */
  caFile: string | null;
}

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const PREFIX = /^([A-Za-z0-9_-][A-Za-z0-9._-]*\/)*$/;

/**
 * Parses `s3://ACCESS:SECRET@host[:port]/bucket[/folder][?region=us-east-1][&tls=false][&ca_file=/ca.pem][&session_token=…]`; keys
 * are percent-encoded where a URL requires it. Error messages never repeat the URL, because it contains a secret.
 */
export function s3Address(text: string): S3Address {
  if (!URL.canParse(text)) throw complaint('is not a URL');
  const url = new URL(text);
  const [bucket = '', ...folders] = url.pathname.split('/').filter(Boolean);
  const prefix = folders.map((folder) => `${folder}/`).join('');
  if (url.protocol !== 's3:' || url.hostname === '') throw complaint('must be s3://ACCESS:SECRET@host/bucket');
  if (url.username === '' || url.password === '') throw complaint('must carry an access key and a secret key');
  if (!BUCKET.test(bucket)) throw complaint('must name a bucket');
  if (!PREFIX.test(prefix)) throw complaint('may have only letters, digits, dots, dashes and slashes after the bucket');
  const tls = url.searchParams.get('tls') !== 'false';
  const port = url.port || (tls ? '443' : '80');
  return {
    origin: new URL(`${tls ? 'https' : 'http'}://${url.hostname}:${port}`).origin,
    authority: `${url.hostname}:${port}`,
    bucket,
    prefix,
    accessKey: decodeURIComponent(url.username),
    secretKey: decodeURIComponent(url.password),
    sessionToken: url.searchParams.get('session_token'),
    region: url.searchParams.get('region') ?? 'us-east-1',
    caFile: url.searchParams.get('ca_file'),
  };
}

const complaint = (text: string): Error => new Error(`OBJECT_STORE_URL ${text}`);
