import { ApiClient, type ApiReply, type Platform } from '@signalbox/testing';

/** Sends a request to the gateway, outside of its API too; `key` null sends none. */
export const ask = (
  platform: Platform,
  method: string,
  path: string,
  { key, headers, body }: { key?: string | null; headers?: Record<string, string>; body?: unknown } = {},
): Promise<ApiReply<unknown>> =>
  new ApiClient(`http://127.0.0.1:${platform.port}`, key).send(method, path, body, headers);
