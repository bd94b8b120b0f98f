import type { Platform } from '@signalbox/testing';

/** A response of the gateway with its body parsed when it is JSON. */
export interface Answer {
  status: number;
  headers: Headers;
  body: unknown;
  text: string;
}

/** Sends a request to the gateway; `key` null sends none. */
export async function ask(
  platform: Platform,
  method: string,
  path: string,
  { key, headers = {}, body }: { key?: string | null; headers?: Record<string, string>; body?: unknown } = {},
): Promise<Answer> {
  const text =
    body === undefined || typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
  const response = await fetch(`http://127.0.0.1:${platform.port}${path}`, {
    method,
    headers: {
      ...(key ? { 'X-Service-Api-Key': key } : {}),
      ...(text === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    body: (text as string | undefined) ?? null,
  });
  const got = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') && got !== '';
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(got) : undefined, text: got };
}
