import aws4 from 'aws4';
import type { S3Address } from './s3-address.js';

export interface Unsigned {
  method: string;
  url: URL;
  body?: Uint8Array | undefined;
  headers?: Record<string, string>;
}

/** AWS Signature Version 4 over all headers and the body. */
export function signedHeaders(
  { method, url, body, headers = {} }: Unsigned,
  address: S3Address,
): Record<string, string> {
  const { accessKey, secretKey, sessionToken, region } = address;
  const typed = body ? { 'Content-Type': 'application/octet-stream', ...headers } : { ...headers };
  const request = {
    service: 's3',
    region,
    method,
    host: url.host,
    path: url.pathname + url.search,
    headers: typed,
    body,
  };
  const credentials = { accessKeyId: accessKey, secretAccessKey: secretKey, ...(sessionToken ? { sessionToken } : {}) };
  const signed = aws4.sign(request as aws4.Request, credentials).headers ?? {};
  return Object.fromEntries(Object.entries(signed).map(([name, value]) => [name.toLowerCase(), String(value)]));
}
