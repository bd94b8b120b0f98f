import type { IncomingHttpHeaders } from 'node:http';

/** A call as the provider has received it. */
export interface FinetuningCall {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: unknown;
}

/** A reply of the fine-tuning API. */
export interface FinetuningReply {
  status: number;
  body: unknown;
}

/** A JSON object. */
export type Json = Record<string, unknown>;

/** Seconds since 1970. */
export const seconds = (): number => Math.floor(Date.now() / 1000);
/** A reply with a body. */
export const ok = (body: unknown): FinetuningReply => ({ status: 200, body });
/** A reply that refuses a call. */
export const refusal = (status: number, message: string, code: string | null = null): FinetuningReply => ({
  status,
  body: { error: { message, type: 'invalid_request_error', param: null, code } },
});
/** A list as the API returns it. */
export const page = (data: Json[]): Json => ({ object: 'list', data, has_more: false });
