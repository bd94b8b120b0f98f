import type { OpenReply } from './transport.js';

/** A file that the platform sends, read as a whole or while it arrives. */
export class Download implements AsyncDisposable {
  readonly contentType: string;
  /** The proposed name, or null. */
  readonly fileName: string | null;

  constructor(private readonly reply: OpenReply) {
    const { headers } = reply.response;
    this.contentType = headers.get('content-type') ?? 'application/octet-stream';
    this.fileName = /filename="([^"]*)"/.exec(headers.get('content-disposition') ?? '')?.[1] ?? null;
  }

  /** The bytes as they arrive; no time limit applies any more. */
  get stream(): ReadableStream<Uint8Array> {
    this.reply.release();
    return this.reply.response.body ?? new ReadableStream({ start: (controller) => controller.close() });
  }

  async bytes(): Promise<Uint8Array> {
    try {
      return new Uint8Array(await this.reply.response.arrayBuffer());
    } finally {
      this.reply.release();
    }
  }

  async text(): Promise<string> {
    return new TextDecoder().decode(await this.bytes());
  }

  /** Closes the connection; a file that was read as a whole has closed it already. */
  async close(): Promise<void> {
    this.reply.release();
    // Fails while another reader has the body, which then closes it.
    await this.reply.response.body?.cancel().catch(() => undefined);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
