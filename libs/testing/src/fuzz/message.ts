export interface FuzzMessage {
  method: string;
  target: string;
  headers: [string, string][];
  body?: Buffer;
}

export interface FuzzRequest {
  kind: 'valid' | 'mutated' | 'raw' | 'chain';
  /** `contract.endpoint` when the request was made from one. */
  from?: string;
  bytes: Buffer;
}

const isToken = (name: string): boolean => /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name);

/** Adds `Connection: close` by default; omits headers that would end the head early. */
export function bytesOf({ method, target, headers, body }: FuzzMessage): Buffer {
  const lines = headers
    .filter(([name, value]) => isToken(name) && !/[\r\n]/.test(value))
    .map(([name, value]) => `${name}: ${value}`);
  const length = body ? [`Content-Length: ${body.length}`] : [];
  const close = headers.some(([name]) => name === 'Connection') ? [] : ['Connection: close'];
  const head = [`${method} ${target} HTTP/1.1`, 'Host: fuzz', ...close, ...lines, ...length, '', ''];
  return Buffer.concat([Buffer.from(head.join('\r\n'), 'utf8'), body ?? Buffer.alloc(0)]);
}
