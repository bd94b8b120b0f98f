import { connect } from 'node:net';

/** One response as received. */
export interface RawAnswer {
  status: number;
  head: string;
  body: string;
}

/** Sends raw bytes and reads until the server closes or goes quiet. */
export function sendRaw(port: number, parts: (string | Buffer)[], quietMs = 600): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    const finish = (): void => {
      clearTimeout(timer);
      socket.destroy();
      const [head = '', ...rest] = text.split('\r\n\r\n');
      resolve({ status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1] ?? 0), head, body: rest.join('\r\n\r\n') });
    };
    let timer = setTimeout(finish, 15_000);
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      text += chunk;
      clearTimeout(timer);
      timer = setTimeout(finish, quietMs);
    });
    socket.on('close', finish);
    socket.on('error', (error) => (text ? finish() : reject(error)));
    for (const part of parts) socket.write(part);
  });
}
