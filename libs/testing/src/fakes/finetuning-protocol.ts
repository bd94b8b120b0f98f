import type { IncomingHttpHeaders } from 'node:http';

export interface FinetuningCall {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: unknown;
}

export interface FinetuningReply {
  status: number;
  body: unknown;
}

export type Json = Record<string, unknown>;

/** Epoch seconds. */
export const seconds = (): number => Math.floor(Date.now() / 1000);
export const ok = (body: unknown): FinetuningReply => ({ status: 200, body });
export const refusal = (status: number, message: string, code: string | null = null): FinetuningReply => ({
  status,
  body: { error: { message, type: 'invalid_request_error', param: null, code } },
});
export const page = (data: Json[]): Json => ({ object: 'list', data, has_more: false });
