import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { platform, tmpdir } from 'node:os';
import { join } from 'node:path';

/** The right to run the platform on one DATA_DIR. */
export interface InstanceLock {
  release(): void;
}

function listen(address: string): Promise<Server | null> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(null) : reject(error),
    );
    server.listen(address, () => resolve(server.unref()));
  });
}

function answers(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

/**
 * Null when another process has the lock. It is a listening local socket, which the kernel frees however its owner
 * ends, so no stale lock can remain. On Linux it is in the abstract namespace; elsewhere it is a file, removed when no
 * process listens on it.
 */
export async function lockInstance(root: string): Promise<InstanceLock | null> {
  const name = `signalbox-${createHash('sha256').update(root).digest('hex').slice(0, 32)}`;
  const abstract = platform() === 'linux';
  const address = abstract ? `\0${name}` : join(tmpdir(), `${name}.sock`);
  let server = await listen(address);
  if (server === null && !abstract && !(await answers(address))) {
    await rm(address, { force: true });
    server = await listen(address);
  }
  if (server === null) return null;
  const held = server;
  return { release: () => held.close() };
}
