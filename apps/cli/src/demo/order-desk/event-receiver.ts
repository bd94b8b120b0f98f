import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { verifyWebhook } from '@signalbox/sdk';

export interface DeliveredEvent {
  event: string;
  resource: { type: string; id: number | string };
  /** Whether the platform has signed exactly these bytes. */
  isSigned: boolean;
}

export interface EventReceiver {
  url: string;
  /** `host:port`, as an allowed address of the platform. */
  place: string;
  trust(secret: string): void;
  /** The first event of each resource; waits for all of them, up to a limit. */
  eventsOf(ids: readonly string[]): Promise<DeliveredEvent[]>;
  close(): Promise<void>;
}

const DELIVERED_MS = 15_000;

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

export async function startEventReceiver(): Promise<EventReceiver> {
  const received = new Map<string, DeliveredEvent>();
  let secret = '';
  let arrived = (): void => undefined;
  const server = createServer((request, response) => {
    void bytesOf(request)
      .then(async (body) => {
        const { event, resource } = JSON.parse(body.toString()) as Omit<DeliveredEvent, 'isSigned'>;
        const signature = String(request.headers['x-service-signature']);
        const isSigned = await verifyWebhook(body, signature, secret).then(
          () => true,
          () => false,
        );
        received.set(String(resource.id), { event, resource, isSigned });
        response.writeHead(204).end();
        arrived();
      })
      .catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const place = `127.0.0.1:${port}`;
  const found = (ids: readonly string[]) => ids.flatMap((id) => received.get(id) ?? []);
  return {
    url: `http://${place}/events`,
    place,
    trust: (given) => void (secret = given),
    eventsOf: (ids) =>
      new Promise((resolve) => {
        const end = (): void => resolve(found(ids));
        const timer = setTimeout(end, DELIVERED_MS);
        arrived = () => {
          if (found(ids).length < ids.length) return;
          clearTimeout(timer);
          end();
        };
        arrived();
      }),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
