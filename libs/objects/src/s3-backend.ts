import { Egress, type EgressResponse, isEgressError } from '@signalbox/egress';
import type { Listed, ObjectBackend } from './object-backend.js';
import type { S3Address } from './s3-address.js';
import { errorCode, listingPage } from './s3-listing.js';
import { signedHeaders } from './s3-signature.js';

const TIMEOUT_MS = 7000;
const CONNECT_MS = 3000;
const MAX_ANSWER_BYTES = 80 * 1024 * 1024;

interface S3Request {
  method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  name?: string;
  query?: Record<string, string>;
  body?: Uint8Array;
  signal?: AbortSignal | undefined;
}

/** Addresses objects by path; a PUT is atomic in S3. */
export class S3Backend implements ObjectBackend {
  private readonly egress: Egress;
  private readonly folder: string;

  constructor(
    private readonly address: S3Address,
    namespace: string,
    private readonly timeoutMs = TIMEOUT_MS,
  ) {
    // Configured by the operator, so it may be private and use any port; no other target is permitted.
    const { authority, caFile } = address;
    const trust = caFile === null ? {} : { caFile };
    this.egress = new Egress({ allow: [authority], connectTimeoutMs: CONNECT_MS, ...trust });
    this.folder = `${address.prefix}${namespace}/`;
  }

  async write(name: string, body: Uint8Array, signal?: AbortSignal): Promise<void> {
    ensureOk(await this.ask({ method: 'PUT', name, body, signal }));
  }

  async read(name: string, signal?: AbortSignal): Promise<Buffer | null> {
    const answer = await this.ask({ method: 'GET', name, signal });
    if (answer.status === 404 && codeOf(answer) === 'NoSuchKey') return null;
    return ensureOk(answer).body;
  }

  async writtenAt(name: string, signal?: AbortSignal): Promise<number | null> {
    const answer = await this.ask({ method: 'HEAD', name, signal });
    return answer.status === 404 ? null : Date.parse(ensureOk(answer).headers['last-modified'] ?? '');
  }

  async remove(name: string, signal?: AbortSignal): Promise<void> {
    const answer = await this.ask({ method: 'DELETE', name, signal });
    if (answer.status !== 404 || codeOf(answer) !== 'NoSuchKey') ensureOk(answer);
  }

  async *list(): AsyncGenerator<Listed> {
    for (let token: string | null = ''; token !== null;) {
      const more: Record<string, string> = token === '' ? {} : { 'continuation-token': token };
      const answer = ensureOk(
        await this.ask({ method: 'GET', query: { 'list-type': '2', prefix: this.folder, ...more } }),
      );
      const page = listingPage(answer.body.toString(), this.folder);
      yield* page.objects;
      token = page.next;
    }
  }

  dropUnfinished(): Promise<void> {
    return Promise.resolve();
  }

  close(): Promise<void> {
    return this.egress.close();
  }

  /** Every request is idempotent, so it is retried once after a closed connection or a server error. */
  private async ask(request: S3Request): Promise<EgressResponse> {
    try {
      const answer = await this.send(request);
      if (answer.status < 500) return answer;
    } catch (error) {
      if (!isEgressError(error) || error.kind !== 'egress_failed' || error.reason !== 'connection') throw error;
    }
    return this.send(request);
  }

  private send({ method, name, query = {}, body, signal }: S3Request): Promise<EgressResponse> {
    const { origin, bucket } = this.address;
    const path = name === undefined ? bucket : `${bucket}/${this.folder}${name}`;
    const url = new URL(`${origin}/${path}`);
    url.search = new URLSearchParams(query).toString();
    return this.egress.fetch({
      url: url.href,
      method,
      headers: signedHeaders({ method, url, body }, this.address),
      body,
      timeoutMs: this.timeoutMs,
      maxBytes: MAX_ANSWER_BYTES,
      maxRedirects: 0,
      ...(signal ? { signal } : {}),
    });
  }
}

const codeOf = ({ body }: EgressResponse): string | null => errorCode(body.toString());

function ensureOk(answer: EgressResponse): EgressResponse {
  if (answer.status >= 200 && answer.status < 300 && !answer.truncated) return answer;
  throw new Error([answer.status, codeOf(answer)].filter(Boolean).join(' '));
}
