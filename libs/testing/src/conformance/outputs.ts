import { ApiError, type Class, type Endpoint, parse } from '@signalbox/contracts';
import type { RawHttpReply } from './raw-client.js';

function problemsOf(cls: Class, value: unknown, at: string): string[] {
  try {
    parse(cls, value, at);
    return [];
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return (error.extras.details ?? []).map(({ field, message }) => `${field} ${message}`);
  }
}

const envelopeKeys = (json: object): string => Object.keys(json).sort().join();

export function outputProblems(endpoint: Endpoint, reply: RawHttpReply): string[] {
  const { output } = endpoint;
  if ('kind' in output && output.kind === 'stream')
    return reply.contentType.startsWith('text/event-stream') ? [] : [`is ${reply.contentType}, not a stream of events`];
  if ('kind' in output && (output.kind === 'raw' || output.kind === 'chunks')) {
    const types = output.kind === 'raw' ? [output.contentType] : (output.contentTypes ?? []);
    const isDeclared = types.some((type) => type === '*/*' || reply.contentType.startsWith(type));
    return isDeclared ? [] : [`is ${reply.contentType}, not ${types.join(' or ')}`];
  }
  if (endpoint.downloadWhen && reply.contentType.startsWith('text/csv')) return [];
  if (!reply.contentType.startsWith('application/json')) return [`is ${reply.contentType}, not JSON`];
  const json = JSON.parse(reply.text) as { data: unknown; pagination?: Record<string, unknown> };
  if (!('kind' in output) && endpoint.protocol === 'openai') return problemsOf(output, json, '');
  if (!('kind' in output))
    return envelopeKeys(json) === 'data'
      ? problemsOf(output, json.data, 'data')
      : [`has the keys ${envelopeKeys(json)}`];
  if (!Array.isArray(json.data)) return ['data is not a list'];
  const items = json.data.flatMap((item, at) => problemsOf(output.of, item, `data[${at}]`));
  if (output.kind === 'list') return items;
  const paged = ['total', 'offset', 'limit'].every((name) => Number.isInteger(json.pagination?.[name]));
  return [...items, ...(paged ? [] : ['pagination lacks total, offset or limit'])];
}

/** Checks the envelope, its status, and words that no client should see. */
export function errorProblems(reply: RawHttpReply, statuses: readonly number[]): string[] {
  if (!statuses.includes(reply.status))
    return [`status ${reply.status} instead of ${statuses.join(' or ')}: ${reply.text.slice(0, 300)}`];
  let body: { error?: { status?: unknown; message?: unknown } };
  try {
    body = JSON.parse(reply.text) as typeof body;
  } catch {
    return [`an error that is not JSON: ${reply.text.slice(0, 200)}`];
  }
  const problems: string[] = [];
  if (envelopeKeys(body) !== 'error') problems.push(`an error with the keys ${envelopeKeys(body)}`);
  if (body.error?.status !== reply.status) problems.push('an error whose status is not that of the reply');
  if (typeof body.error?.message !== 'string' || body.error.message === '') problems.push('an error without a message');
  if (/\bat .*\.[jt]s:\d|node_modules|SELECT |INSERT |svc_|\/dist\//.test(reply.text))
    problems.push('an error that reveals internals');
  return problems;
}
