export interface ApiReply<Body> {
  status: number;
  headers: Headers;
  text: string;
  /** The text parsed, where its type is JSON. */
  body: Body;
}

/** Calls the public API over HTTP with the key of a company. */
export class ApiClient {
  constructor(
    private readonly baseUrl: string,
    private readonly key?: string | null | undefined,
  ) {}

  /** Texts, bytes and forms are sent as they are, everything else as JSON; given headers replace those made here. */
  // Tests read replies of every endpoint; the conformance suite checks their shapes.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  async send<Body = any>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<ApiReply<Body>> {
    const isForm = body instanceof FormData;
    const isRaw = isForm || typeof body === 'string' || body instanceof Uint8Array;
    const sent = new Headers(headers);
    if (this.key && !sent.has('X-Service-Api-Key')) sent.set('X-Service-Api-Key', this.key);
    if (body !== undefined && !isForm && !sent.has('Content-Type')) sent.set('Content-Type', 'application/json');
    const reply = await fetch(this.baseUrl + path, {
      method,
      headers: sent,
      body: isRaw ? (body as BodyInit) : JSON.stringify(body),
    });
    const text = await reply.text();
    const isJson = text !== '' && /^application\/json\b/.test(reply.headers.get('content-type') ?? '');
    const parsed = (isJson ? JSON.parse(text) : undefined) as Body;
    return { status: reply.status, headers: reply.headers, text, body: parsed };
  }

  /** What a call that has to succeed returned, without its envelope. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  async data<Data = any>(method: string, path: string, body?: unknown): Promise<Data> {
    const reply = await this.send(method, path, body);
    if (reply.status !== 200) throw new Error(`${method} ${path}: ${reply.status} ${reply.text.slice(0, 500)}`);
    return Object.hasOwn(reply.body, 'data') ? reply.body.data : reply.body;
  }
}
