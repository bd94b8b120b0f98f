import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { bodyOf, listen, pause, type ListenOptions } from './http-listener.js';

export interface TargetCall {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
  startedAt: number;
  endedAt: number | null;
  status: number | null;
}

/** `hang` never replies, `reset` closes the connection abruptly. */
export interface TargetReply {
  status?: number;
  headers?: Record<string, string | string[]>;
  body?: string | Uint8Array;
  latencyMs?: number;
  hang?: boolean;
  reset?: boolean;
}

/** `index` counts calls from 0. */
export type TargetScript = (call: TargetCall, index: number) => TargetReply | Promise<TargetReply>;

export interface HttpTarget {
  url: string;
  port: number;
  calls: TargetCall[];
  answerWith(script: TargetScript): void;
  close(): Promise<void>;
}

/** Records every request and replies by script, `200 {"ok":true}` without one. */
export async function startHttpTarget(options: ListenOptions & { script?: TargetScript } = {}): Promise<HttpTarget> {
  const calls: TargetCall[] = [];
  let script: TargetScript = options.script ?? (() => ({}));
  const listener = await listen((request, response) => {
    // A caller may disconnect mid-body.
    answer(request, response, calls, () => script).catch(() => response.destroy());
  }, options);
  return {
    url: listener.origin,
    port: listener.port,
    calls,
    answerWith: (next) => void (script = next),
    close: listener.close,
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  calls: TargetCall[],
  script: () => TargetScript,
): Promise<void> {
  const startedAt = Date.now();
  const call: TargetCall = {
    method: request.method ?? '',
    path: request.url ?? '',
    headers: request.headers,
    body: await bodyOf(request),
    startedAt,
    endedAt: null,
    status: null,
  };
  const index = calls.push(call) - 1;
  response.once('close', () => void (call.endedAt = Date.now()));
  await send(response, call, await script()(call, index));
}

async function send(response: ServerResponse, call: TargetCall, reply: TargetReply): Promise<void> {
  await pause(reply.latencyMs ?? 0);
  if (reply.hang) return;
  if (reply.reset) return void response.destroy();
  call.status = reply.status ?? 200;
  response.writeHead(call.status, reply.headers ?? { 'content-type': 'application/json' });
  response.end(reply.body ?? (reply.headers ? '' : '{"ok":true}'));
}
