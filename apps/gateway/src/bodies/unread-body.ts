import type { IncomingMessage } from 'node:http';

const WAIT_MS = 300;
const MAX_UNREAD_BYTES = 16 * 1_048_576;

/**
 * Resolves when the rest of a refused body has arrived, or enough of it: closing a connection while bytes still arrive
 * resets it, and the client would lose the response.
 */
export function unreadBodyOf(request: IncomingMessage): Promise<void> {
  if (request.complete || request.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    let bytes = 0;
    const end = (): void => {
      clearTimeout(timer);
      request.off('data', count);
      resolve();
    };
    const count = (chunk: Buffer): void => {
      if ((bytes += chunk.length) > MAX_UNREAD_BYTES) end();
    };
    const timer = setTimeout(end, WAIT_MS);
    request.on('data', count).once('end', end).once('close', end).resume();
  });
}
