import type { IncomingMessage, ServerResponse } from 'node:http';
import { bodyOf, listen, pause, type Listener, type ListenOptions } from './http-listener.js';
import { refusal, type ObjectServerKeys } from './object-signatures.js';

export interface StoredObject {
  bytes: Buffer;
  writtenAt: number;
}

type Certificate = NonNullable<ListenOptions['tls']>;

/** A fake S3-compatible store with one bucket. It accepts only requests with a valid signature. */
export interface ObjectServer {
  /** For OBJECT_STORE_URL; `secretKey` replaces the right one. */
  urlWith(secretKey?: string): string;
  /** With the host name of the certificate and a CA file. */
  urlOverTls(caFile?: string): string;
  objects: Map<string, StoredObject>;
  calls: string[];
  answerWith(status: number | null): void;
  tellDates(tell: boolean): void;
  slowDown(ms: number): void;
  stop(): Promise<void>;
  /** On the same port with the same objects, over TLS with a certificate. */
  restart(certificate?: Certificate): Promise<void>;
}

const KEYS: ObjectServerKeys = { accessKey: 'SIGNALBOX/TEST', secretKey: 'se+cret/KEY=of the test', region: 'local-1' };
const BUCKET = 'signalbox-test';
const PAGE = 3;

export async function startObjectServer(): Promise<ObjectServer> {
  const server = new Server();
  await server.restart();
  return server;
}

class Server implements ObjectServer {
  readonly objects = new Map<string, StoredObject>();
  readonly calls: string[] = [];
  private listener: Listener | undefined;
  private port = 0;
  private forced: number | null = null;
  private delayMs = 0;
  private tellsDates = true;

  urlWith(secretKey = KEYS.secretKey): string {
    const login = `${encodeURIComponent(KEYS.accessKey)}:${encodeURIComponent(secretKey)}`;
    return `s3://${login}@127.0.0.1:${this.port}/${BUCKET}/some/folder?region=${KEYS.region}&tls=false`;
  }

  urlOverTls(caFile?: string): string {
    const url = new URL(this.urlWith());
    url.hostname = 'localhost';
    url.searchParams.delete('tls');
    if (caFile !== undefined) url.searchParams.set('ca_file', caFile);
    return url.href;
  }

  answerWith(status: number | null): void {
    this.forced = status;
  }

  slowDown(ms: number): void {
    this.delayMs = ms;
  }

  tellDates(tell: boolean): void {
    this.tellsDates = tell;
  }

  async stop(): Promise<void> {
    await this.listener?.close();
    this.listener = undefined;
  }

  async restart(tls?: Certificate): Promise<void> {
    this.listener ??= await listen(
      (request, response) => void this.answer(request, response).catch(() => response.destroy()),
      { port: this.port, tls },
    );
    this.port = this.listener.port;
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(request);
    await pause(this.delayMs);
    const refused = this.forced === null ? refusal(request, body, KEYS) : null;
    if (this.forced !== null) fail(response, this.forced, 'SlowDown');
    else if (refused !== null) fail(response, 403, refused);
    else this.serve(request, response, body);
    this.calls.push(`${request.method} ${request.url} ${response.statusCode}`);
  }

  private serve({ method, url = '' }: IncomingMessage, response: ServerResponse, body: Buffer): void {
    const { pathname, searchParams } = new URL(url, 'http://store');
    const [, bucket, ...rest] = pathname.split('/');
    const name = rest.join('/');
    if (bucket !== BUCKET) fail(response, 404, 'NoSuchBucket');
    else if (name === '' && method === 'GET' && searchParams.get('list-type') === '2')
      this.list(response, searchParams);
    else if (method === 'PUT') this.put(response, name, body);
    else if (method === 'DELETE') this.delete(response, name);
    else if (method === 'GET' || method === 'HEAD') this.get(response, name);
    else fail(response, 405, 'MethodNotAllowed');
  }

  private put(response: ServerResponse, name: string, bytes: Buffer): void {
    this.objects.set(name, { bytes, writtenAt: Date.now() });
    response.writeHead(200).end();
  }

  private delete(response: ServerResponse, name: string): void {
    this.objects.delete(name);
    response.writeHead(204).end();
  }

  private get(response: ServerResponse, name: string): void {
    const found = this.objects.get(name);
    if (!found) return fail(response, 404, 'NoSuchKey');
    const date = this.tellsDates ? { 'last-modified': new Date(found.writtenAt).toUTCString() } : {};
    response
      .writeHead(200, { ...date, 'content-length': found.bytes.length, 'content-type': 'binary/octet-stream' })
      .end(found.bytes);
  }

  private list(response: ServerResponse, query: URLSearchParams): void {
    const after = Buffer.from((query.get('continuation-token') ?? '').replace(/^\+&=/, ''), 'base64').toString();
    const names = [...this.objects.keys()].filter((name) => name.startsWith(query.get('prefix') ?? '')).sort();
    const left = names.filter((name) => name > after);
    const page = left.slice(0, PAGE);
    // Tokens are opaque; this one needs escapes in XML and in a query.
    const token = `+&amp;=${Buffer.from(page.at(-1) ?? '').toString('base64')}`;
    const more = left.length > PAGE ? `<NextContinuationToken>${token}</NextContinuationToken>` : '';
    const contents = page.map((name) => {
      const at = new Date(this.objects.get(name)?.writtenAt ?? 0).toISOString();
      return `<Contents><Key>${name}</Key><LastModified>${at}</LastModified><Size>1</Size></Contents>`;
    });
    const truncated = `<IsTruncated>${left.length > PAGE}</IsTruncated>`;
    xml(response, 200, `<ListBucketResult>${truncated}${contents.join('')}${more}</ListBucketResult>`);
  }
}

function fail(response: ServerResponse, status: number, code: string): void {
  xml(response, status, `<Error><Code>${code}</Code><Message>${code}</Message></Error>`);
}

function xml(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': 'application/xml' }).end(`<?xml version="1.0"?>\n${body}`);
}
