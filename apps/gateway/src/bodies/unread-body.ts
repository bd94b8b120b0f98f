import type { IncomingMessage } from 'node:http';

const PATIENCE_MS = 300;
const PATIENCE_BYTES = 16 * 1_048_576;

/**
 * Calls back when the rest of a refused body has arrived, or enough of it. Who closes a connection on top of bytes that
 * are still coming resets it, and the sender loses the answer that says why.
 */
export function afterUnreadBody(request: IncomingMessage, then: () => void): void {
  if (request.complete || request.destroyed) return then();
  let bytes = 0;
  let done = (): void => {
    done = () => undefined;
    clearTimeout(timer);
    request.off('data', count);
    then();
  };
  const end = (): void => done();
  const count = (chunk: Buffer): void => {
    if ((bytes += chunk.length) > PATIENCE_BYTES) end();
  };
  const timer = setTimeout(end, PATIENCE_MS);
  request.on('data', count).once('end', end).once('close', end).resume();
}
