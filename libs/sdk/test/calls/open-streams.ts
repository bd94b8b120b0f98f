import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClient, type Signalbox } from '@signalbox/sdk';

export const frame = (seq: number, type: string): string =>
  `id: ${seq}\nevent: ${type}\ndata: {"type":"${type}","seq":${seq}}\n\n`;

export async function types(events: AsyncIterable<{ type: string }>): Promise<string[]> {
  const seen: string[] = [];
  for await (const { type } of events) seen.push(type);
  return seen;
}

/** Replies with events and leaves the reply open. */
export async function startOpenStreams(...frames: string[]): Promise<{ client: Signalbox; closed: Promise<unknown> }> {
  let end = (): void => undefined;
  const closed = new Promise<void>((resolve) => (end = resolve));
  const server = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(frames.join(''));
    request.socket.once('close', () => {
      end();
      server.close();
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return { client: createClient({ apiKey: 'k', baseUrl: `http://127.0.0.1:${port}` }), closed };
}
