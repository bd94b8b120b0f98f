/** One request as it goes over the wire, before its head is written. */
export interface FuzzMessage {
  method: string;
  /** Path with its query, beginning with a slash. */
  target: string;
  headers: [string, string][];
  body?: Buffer;
}

/** One request of a fuzz run with what is known of it. */
export interface FuzzRequest {
  kind: 'valid' | 'mutated' | 'raw' | 'chain';
  /** `contract.endpoint` when the request was made from one. */
  from?: string;
  bytes: Buffer;
}

const isToken = (name: string): boolean => /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name);

/** The bytes of a request, `Connection: close` included unless it says otherwise; headers that would end the head early are left out. */
export function bytesOf({ method, target, headers, body }: FuzzMessage): Buffer {
  const lines = headers
    .filter(([name, value]) => isToken(name) && !/[\r\n]/.test(value))
    .map(([name, value]) => `${name}: ${value}`);
  const length = body ? [`Content-Length: ${body.length}`] : [];
  const close = headers.some(([name]) => name === 'Connection') ? [] : ['Connection: close'];
  const head = [`${method} ${target} HTTP/1.1`, 'Host: fuzz', ...close, ...lines, ...length, '', ''];
  return Buffer.concat([Buffer.from(head.join('\r\n'), 'utf8'), body ?? Buffer.alloc(0)]);
}
