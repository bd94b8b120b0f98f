import { EgressFailed } from '../errors.js';
import type { Destination } from './destination.js';
import { responseHeaders } from '../replies/response-headers.js';
import { checkTarget } from './target.js';
import type { WireReply } from '../replies/wire-reply.js';

export interface Hop {
  url: URL;
  method: string;
  headers: Record<string, string>;
  body: string | Uint8Array | AsyncIterable<Uint8Array> | undefined;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Checked like the first hop; null when the response is not a redirect. */
export function nextHop(hop: Hop, { status, raw }: WireReply, { allow, sensitive }: Destination): Hop | null {
  if (!REDIRECTS.has(status)) return null;
  const { location } = responseHeaders(raw);
  if (location === undefined) return null;
  const url = checkTarget(location, allow, hop.url);
  const dropsBody = status === 303 ? !['GET', 'HEAD'].includes(hop.method) : status <= 302 && hop.method === 'POST';
  if (!dropsBody && isStreamed(hop.body))
    throw new EgressFailed('redirects', 'a body that is sent while it is read cannot be sent again');
  const moved = url.origin !== hop.url.origin;
  const kept = Object.entries(hop.headers).filter(
    ([name]) => !(moved && sensitive.has(name)) && !(dropsBody && name.startsWith('content-')),
  );
  return {
    url,
    method: dropsBody ? 'GET' : hop.method,
    headers: Object.fromEntries(kept),
    body: dropsBody ? undefined : hop.body,
  };
}

export const isStreamed = (body: Hop['body']): body is AsyncIterable<Uint8Array> =>
  typeof body === 'object' && Symbol.asyncIterator in body;
