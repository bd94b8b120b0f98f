import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ApiError, notFound, type StreamPart } from '@signalbox/contracts';
import { EventReader } from '../src/streams/event-reader.js';

let server: Server | undefined;
afterEach(() => void server?.close());

const part = (...types: string[]): StreamPart => ({
  events: types.map((type, at) => ({ seq: at + 1, type, data: {} })),
  ended: false,
  subject: 'live.x',
});

/** What a client receives of a stream whose reads from storage give these results. */
async function received(...reads: (StreamPart | Error)[]): Promise<{ text: string; failures: number }> {
  let failures = 0;
  let next = 0;
  server = createServer((_request, response) => {
    const reader = new EventReader(
      response,
      {
        from: 0,
        read: async () => {
          const read = reads[Math.min(next++, reads.length - 1)];
          if (read instanceof Error) throw read;
          return Promise.resolve(read ?? part());
        },
        listen: () => () => undefined,
        failed: () => failures++,
      },
      { pauseMs: 20, limitMs: 500 },
    );
    void reader.run(part());
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  return { text: await response.text(), failures };
}

const unavailable = new ApiError('unavailable', 'the service is down');

describe('reads of a stream that fail', () => {
  it('are repeated when the failure may pass', async () => {
    const { text, failures } = await received(
      unavailable,
      new Error('unforeseen'),
      part('run.started', 'run.completed'),
    );
    expect(text).toMatch(/^id: 1\nevent: run.started\n.*\n\nid: 2\nevent: run.completed\n.*\n\n$/);
    expect(failures).toBe(2);
  });

  it.each<[string, ApiError]>([
    ['404', notFound('run')],
    ['403', new ApiError('missing_scope', 'missing scope: read')],
    ['400', new ApiError('invalid', 'last_event_id is above the last event')],
  ])('end the stream when they are refused with %s', async (status, error) => {
    const { text, failures } = await received(unavailable, error);
    expect(text).toMatch(new RegExp(`^event: error\ndata: {"type":"error","status":${status},"timestamp":\\d+}\n\n$`));
    expect(failures).toBe(1);
  });

  it('end the stream when they have failed for too long', async () => {
    const { text, failures } = await received(unavailable);
    expect(text).toContain('event: error\ndata: {"type":"error","status":503,');
    expect(failures).toBeGreaterThan(1);
  });
});

describe('a stream without end', () => {
  it('says where it begins, and where it stands when it is ended', async () => {
    server = createServer((_request, response) => {
      const reader = new EventReader(response, {
        from: 0,
        read: async () => Promise.resolve({ ...part(), position: 12 }),
        listen: () => () => undefined,
        failed: () => undefined,
      });
      void reader.run({ ...part(), position: 7 });
      setTimeout(() => reader.end(), 50);
    });
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
    const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    expect(await response.text()).toBe('id: 7\n\nid: 12\n\n');
  });
});
