import type { ChatSetup } from '../chat/setup.js';

/** The data of the reply to a call with the company's key; throws when it is an error. */
export async function apiOf<T>(
  { platform, company }: ChatSetup,
  method: 'GET' | 'POST',
  path: string,
  body?: object | string,
  type = 'application/json',
): Promise<T> {
  const reply = await fetch(`${platform.baseUrl}${path}`, {
    method,
    headers: { 'x-service-api-key': company.key, ...(body === undefined ? {} : { 'content-type': type }) },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await reply.text();
  if (!reply.ok) throw new Error(`${method} ${path} was answered with ${reply.status}: ${text.slice(0, 500)}`);
  return (JSON.parse(text) as { data: T }).data;
}

/** Reads a stream of events until the server ends it. */
export async function followToEnd({ platform, company }: ChatSetup, path: string): Promise<void> {
  const reply = await fetch(`${platform.baseUrl}${path}`, { headers: { 'x-service-api-key': company.key } });
  if (!reply.ok) throw new Error(`GET ${path} was answered with ${reply.status}`);
  await reply.arrayBuffer();
}
