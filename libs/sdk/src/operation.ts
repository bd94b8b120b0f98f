import type { CallOptions } from './options.js';
import { withRequestIds } from './stored-answers.js';

export type ReplyShape = 'data' | 'page' | 'stream' | 'file' | 'plain';

/**
 * An endpoint, parsed from `METHOD PATH [shape] [stream=field:value] [download=field:value] [body=field] [file=type,…]
 * [form]`.
 */
export interface Operation {
  method: string;
  path: string;
  shape: ReplyShape;
  /** This value makes the reply a stream. */
  stream?: { field: string; value: string };
  /** This value makes the reply a file. */
  download?: { field: string; value: string };
  /** This field is the whole body. */
  body?: string;
  /** Media types of the file that is the body. */
  file?: string[];
  /** The field `file` is sent in a form with the other fields. */
  form?: boolean;
}

export type Input = Record<string, unknown>;

/** May be sent any number of times. */
export interface PreparedCall {
  method: string;
  /** Path and query below the base URL. */
  url: string;
  headers: Record<string, string>;
  body?: string | Uint8Array | Blob | ReadableStream<Uint8Array>;
  options: CallOptions;
}

const SHAPES: readonly string[] = ['page', 'stream', 'file', 'plain'] satisfies ReplyShape[];

export function parseOperation(line: string): Operation {
  const [method = '', path = '', ...marks] = line.split(' ');
  const operation: Operation = { method, path, shape: 'data' };
  for (const mark of marks) {
    const [name, value = ''] = mark.split('=');
    const [field = '', ...rest] = value.split(':');
    if (SHAPES.includes(mark)) operation.shape = mark as ReplyShape;
    else if (name === 'stream') operation.stream = { field, value: rest.join(':') };
    else if (name === 'download') operation.download = { field, value: rest.join(':') };
    else if (name === 'body') operation.body = field;
    else if (name === 'form') operation.form = true;
    else operation.file = value.split(',');
  }
  return operation;
}

const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [String(value)]);

interface FileInput {
  file?: PreparedCall['body'];
  media_type?: string;
}

/** A single value, so that each attempt sends the same bytes, as one idempotency key requires. */
function formOf(fields: Map<string, unknown>): Blob {
  const boundary = `signalbox-${crypto.randomUUID()}`;
  const part = (name: string, more = ''): string =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`;
  const file = new Blob([fields.get('file') as string | Blob]);
  const others = [...fields].filter(([name]) => name !== 'file');
  const texts = others.map(([name, value]) => `${part(name)}${String(value)}\r\n`);
  const type = `; filename="file"\r\nContent-Type: ${(fields.get('file') as Partial<Blob>).type || 'application/octet-stream'}`;
  return new Blob([...texts, part('file', type), file, `\r\n--${boundary}--\r\n`], {
    type: `multipart/form-data; boundary=${boundary}`,
  });
}

/** Divides the fields into path, query and body. */
export function prepareCall(operation: Operation, input: Input, options: CallOptions): PreparedCall {
  const rest = new Map(Object.entries(input).filter(([, value]) => value !== undefined));
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest.get(name);
    if (value === undefined || value === '') throw new TypeError(`${operation.method} ${operation.path} needs ${name}`);
    rest.delete(name);
    return encodeURIComponent(texts(value)[0] ?? '');
  });
  const headers: Record<string, string> = {};
  const call: PreparedCall = { method: operation.method, url: path, headers, options };
  if (operation.method === 'POST') headers['idempotency-key'] = options.idempotencyKey ?? crypto.randomUUID();
  if (operation.file) {
    const { file, media_type = operation.file[0] } = Object.fromEntries(rest) as FileInput;
    headers['content-type'] = media_type ?? 'application/octet-stream';
    return { ...call, body: file ?? '' };
  }
  if (operation.method === 'GET' || operation.method === 'DELETE') {
    // A query has no null.
    const given = [...rest].filter(([, value]) => value !== null);
    const query = new URLSearchParams(
      given.flatMap(([name, value]) => texts(value).map((text): [string, string] => [name, text])),
    );
    return query.size > 0 ? { ...call, url: `${path}?${query}` } : call;
  }
  if (operation.form && rest.has('file')) {
    const form = formOf(rest);
    headers['content-type'] = form.type;
    return { ...call, body: form };
  }
  const body = operation.body === undefined ? Object.fromEntries(rest) : rest.get(operation.body);
  if (operation.body === undefined && rest.size === 0) return call;
  headers['content-type'] = 'application/json';
  return { ...call, body: JSON.stringify(withRequestIds(operation.path, body)) };
}

export const isDownload = ({ shape, download }: Operation, input: Input): boolean =>
  shape === 'file' || (download !== undefined && String(input[download.field]) === download.value);

export const isStreamed = ({ shape, stream }: Operation, input: Input): boolean =>
  shape === 'stream' || (stream !== undefined && String(input[stream.field]) === stream.value);
