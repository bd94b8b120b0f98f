import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * The body of a response whose length nobody knows, piece by piece. Node frames a piece by four writes, gathered for one
 * system call; framed here it is one, which takes half the time.
 */
export class ChunkedBody {
  private last: ServerResponse | Socket;
  private begun = false;

  constructor(private readonly response: ServerResponse) {
    this.last = response;
  }

  /** False when the client is slower than its pieces. */
  write(piece: Uint8Array | string): boolean {
    const { response } = this;
    const { socket } = response;
    // The head goes with the first piece. A response that still waits behind others has no socket.
    const own = this.begun && typeof piece === 'string' && response.chunkedEncoding && socket;
    this.begun = true;
    this.last = own || response;
    return own ? own.write(framed(piece)) : response.write(piece);
  }

  onDrain(then: () => void): void {
    this.last.once('drain', then);
  }
}

const framed = (piece: string): string => `${Buffer.byteLength(piece).toString(16)}\r\n${piece}\r\n`;
