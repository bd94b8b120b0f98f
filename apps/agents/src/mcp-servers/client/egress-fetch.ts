import type { FetchLike } from '@modelcontextprotocol/client';
import { type Egress, EgressFailed, EgressTimeout, type SecretBag } from '@signalbox/egress';
import { McpFailedError } from './mcp-failure.js';

export interface McpTarget {
  url: string;
  /** With placeholders of secrets. */
  headers: Readonly<Record<string, string>>;
  /** Only the secrets that its headers name. */
  secrets: SecretBag | undefined;
  /** Private addresses that the company may call. */
  allow: string[];
}

/** Read limit of one connection for all answers together. */
const MAX_BYTES = 4 * 1024 * 1024;
/** Of the server; 400, 404 and 405 are part of how the protocol is negotiated. */
const REFUSALS = [401, 402, 403, 408, 429];

/** The requests of one connection, through the egress guard; its first failure ends it. */
export class EgressFetch {
  /** Why the connection has failed: the MCP client reports it in other words. */
  failure: unknown;
  private left = MAX_BYTES;
  private readonly over = new AbortController();
  private readonly signal: AbortSignal;

  constructor(
    private readonly egress: Egress,
    private readonly target: McpTarget,
    signal: AbortSignal,
    private readonly endsAt: number,
  ) {
    this.signal = AbortSignal.any([signal, this.over.signal]);
  }

  /** Aborts when the connection has failed or its caller has given up. */
  get ended(): AbortSignal {
    return this.signal;
  }

  readonly fetch: FetchLike = async (_url, init = {}) => {
    // The stream that a server may open for messages of its own is of no use to a single call.
    if (init.method === 'GET') return new Response(null, { status: 405 });
    try {
      return await this.send(init);
    } catch (error) {
      throw this.failed(error);
    }
  };

  close(): void {
    this.over.abort();
  }

  private async send({ method = 'POST', headers, body, signal }: RequestInit): Promise<Response> {
    const timeoutMs = this.endsAt - Date.now();
    if (timeoutMs <= 0) throw new EgressTimeout('total');
    const { url, secrets, allow } = this.target;
    const reply = await this.egress.stream({
      url,
      method,
      headers: { ...ofProtocol(headers), ...this.target.headers },
      ...(typeof body === 'string' ? { body } : {}),
      ...(secrets ? { secrets } : {}),
      allow,
      timeoutMs,
      maxBytes: Math.max(1, this.left),
      // A redirect would carry the headers to another address.
      maxRedirects: 0,
      signal: signal ? AbortSignal.any([signal, this.signal]) : this.signal,
    });
    const { status } = reply;
    if (status >= 300 && status < 400) {
      reply.close();
      throw new McpFailedError('provider', `the server answered ${status}: redirects are not followed`);
    }
    if (REFUSALS.includes(status) || status >= 500) {
      reply.close();
      throw new McpFailedError('provider', `the server answered ${status}`);
    }
    const type = reply.header('content-type') ?? '';
    const session = reply.header('mcp-session-id');
    const known = { ...(type ? { 'content-type': type } : {}), ...(session ? { 'mcp-session-id': session } : {}) };
    if (status === 204) return new Response(null, { status, headers: known });
    return new Response(this.counted(reply), { status, headers: known });
  }

  private counted({ body, close }: { body: AsyncIterable<Uint8Array>; close: () => void }): ReadableStream {
    const parts = body[Symbol.asyncIterator]();
    return new ReadableStream<Uint8Array>({
      pull: async (out) => {
        try {
          const next = await parts.next();
          if (next.done) return out.close();
          this.left -= next.value.byteLength;
          if (this.left < 0) throw new EgressFailed('too_large', `the server answered more than ${MAX_BYTES} bytes`);
          out.enqueue(new Uint8Array(next.value));
        } catch (error) {
          out.error(this.failed(error));
        }
      },
      cancel: () => close(),
    });
  }

  private failed(error: unknown): unknown {
    if (this.signal.aborted) return error;
    // The MCP client aborts a request by itself only when it has taken too long.
    const isLate = error instanceof EgressFailed && error.reason === 'aborted';
    this.failure ??= isLate ? new EgressTimeout('total') : error;
    this.over.abort();
    return error;
  }
}

/** SECURITY: text of a server or a model in a header of the protocol is never expanded as a placeholder. */
function ofProtocol(headers: RequestInit['headers']): Record<string, string> {
  const given = Object.fromEntries(new Headers(headers ?? {}));
  const odd = Object.values(given).some((value) => value.includes('{{'));
  if (odd) throw new McpFailedError('adapter', 'a header of the protocol would contain a placeholder');
  return given;
}
