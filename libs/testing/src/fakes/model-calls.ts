import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { pause } from './http-listener.js';
import { chunksOf } from './model-completions.js';
import type { AnswerReply, ErrorReply, ModelRequest } from './model-replies.js';

export interface ModelCall {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** Identifies the connection. */
  remotePort: number;
  body: unknown;
  startedAt: number;
  endedAt: number | null;
  status: number | null;
  aborted: boolean;
  chunks: number;
}

export async function stream(request: ModelRequest, reply: AnswerReply, call: ModelCall, response: ServerResponse) {
  call.status = 200;
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' });
  for (const [index, chunk] of chunksOf(request, reply).entries()) {
    if (reply.cutAfterChunks === index) return cut(response);
    if (response.destroyed) return;
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
    call.chunks += 1;
    await pause(reply.chunkDelayMs ?? 0);
  }
  response.end('data: [DONE]\n\n');
}

async function cut(response: ServerResponse): Promise<void> {
  // The written chunks have to be flushed before the connection is reset.
  await pause(20);
  response.destroy();
}

const ERROR_TYPES: Record<number, string> = { 401: 'invalid_request_error', 429: 'rate_limit_error' };

export function fail(response: ServerResponse, call: ModelCall, { error }: ErrorReply): void {
  const { status, message = 'The server had an error processing your request.', code = null, retryAfter } = error;
  if (retryAfter !== undefined) response.setHeader('retry-after', String(retryAfter));
  const type = error.type ?? ERROR_TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'server_error');
  json(response, call, status, { error: { message, type, param: null, code } });
}

export function refuse(
  response: ServerResponse,
  call: ModelCall,
  status: number,
  message: string,
  code: string | null,
): void {
  fail(response, call, { error: { status, message, code } });
}

export function json(response: ServerResponse, call: ModelCall, status: number, value: unknown): void {
  send(response, call, status, { 'content-type': 'application/json' }, JSON.stringify(value));
}

export function send(
  response: ServerResponse,
  call: ModelCall,
  status: number,
  headers: Record<string, string>,
  body: string | Uint8Array,
): void {
  call.status = status;
  response.writeHead(status, headers).end(body);
}
