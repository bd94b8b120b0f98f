import { brokenOff, type OpenReply } from './transport.js';

/** A file that the platform sends, read as a whole or while it arrives. */
export class Download implements AsyncDisposable {
  readonly contentType: string;
  /** The proposed name, or null. */
  readonly fileName: string | null;
  private opened: ReadableStream<Uint8Array> | undefined;

  constructor(private readonly reply: OpenReply) {
    const { headers } = reply.response;
    this.contentType = headers.get('content-type') ?? 'application/octet-stream';
    this.fileName = /filename="([^"]*)"/.exec(headers.get('content-disposition') ?? '')?.[1] ?? null;
  }

  /** The bytes as they arrive; no time limit applies any more. A file that breaks off is a ConnectionError. */
  get stream(): ReadableStream<Uint8Array> {
    this.reply.release();
    return (this.opened ??= streamOf(this.reply));
  }

  /** Throws a ConnectionError for a file that breaks off. */
  async bytes(): Promise<Uint8Array> {
    const { response, signal, release } = this.reply;
    const isOpen = !response.bodyUsed;
    try {
      return new Uint8Array(await response.arrayBuffer());
    } catch (error) {
      throw isOpen ? brokenOff(error, signal) : error;
    } finally {
      release();
    }
  }

  async text(): Promise<string> {
    return new TextDecoder().decode(await this.bytes());
  }

  /** Closes the connection; a file that was read as a whole has closed it already. */
  async close(): Promise<void> {
    this.reply.release();
    // Fails while another reader has the body, which then closes it.
    await (this.opened ?? this.reply.response.body)?.cancel().catch(() => undefined);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/** Takes the body when it is first read. */
function streamOf({ response, signal }: OpenReply): ReadableStream<Uint8Array> {
  const body = response.body ?? new ReadableStream({ start: (controller) => controller.close() });
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          reader ??= body.getReader();
          const { done, value } = await reader.read();
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (error) {
          controller.error(brokenOff(error, signal));
        }
      },
      cancel: (reason) => (reader ?? body).cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
