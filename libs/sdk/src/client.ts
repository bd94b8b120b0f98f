import { CompletionStream } from './completion-stream.js';
import { Download } from './download.js';
import { SignalboxError } from './errors.js';
import { EventStream } from './event-stream.js';
import { OPERATIONS } from './generated/operations.js';
import type { Families } from './generated/families.js';
import { type Input, isDownload, isStreamed, type Operation, parseOperation, prepareCall } from './operation.js';
import type { CallOptions, ClientOptions, StreamOptions } from './options.js';
import { type Page, PagedList } from './pages.js';
import { Transport } from './transport.js';

/** A client of the platform: one property per family, one method per endpoint. */
export interface Signalbox extends Families, AsyncDisposable {
  /** Ends every call and stream of the client that is open; later calls are errors. */
  close(): void;
}

class Caller {
  constructor(private readonly transport: Transport) {}

  call(operation: Operation, input: Input, options: StreamOptions): unknown {
    if (isStreamed(operation, input)) return this.stream(operation, input, options);
    if (isDownload(operation, input)) return this.download(operation, input, options);
    if (operation.shape === 'page')
      return new PagedList((part) =>
        this.json(operation, { ...input, ...part }, options).then((page) => page as Page<unknown>),
      );
    return this.value(operation, input, options);
  }

  private stream(operation: Operation, input: Input, { lastEventId, ...options }: StreamOptions): unknown {
    const call = prepareCall(operation, input, options);
    if (operation.shape === 'plain') return new CompletionStream(this.transport, call);
    const headers = lastEventId === undefined ? call.headers : { ...call.headers, 'last-event-id': lastEventId };
    return new EventStream(this.transport, { ...call, headers });
  }

  private async value(operation: Operation, input: Input, options: CallOptions): Promise<unknown> {
    const body = await this.json(operation, input, options);
    return operation.shape === 'plain' ? body : (body as { data?: unknown } | null)?.data;
  }

  private async download(operation: Operation, input: Input, options: CallOptions): Promise<Download> {
    return new Download(await this.transport.open(prepareCall(operation, input, options)));
  }

  private async json(operation: Operation, input: Input, options: CallOptions): Promise<unknown> {
    const text = await this.transport.send(prepareCall(operation, input, options), async ({ response, release }) => {
      if (response.headers.get('content-type')?.startsWith('text/event-stream') === true)
        throw await streamedInstead(operation, response);
      const body = await response.text();
      release();
      return body;
    });
    return parsedReply(text);
  }
}

function parsedReply(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new SignalboxError('the reply is not JSON: the address is not that of a platform');
  }
}

/** A workflow may be configured to stream by default. */
async function streamedInstead({ stream }: Operation, { body }: Response): Promise<SignalboxError> {
  await body?.cancel();
  return new SignalboxError(
    `the reply is a stream of events: call with ${stream?.field ?? 'mode'} set to read it, or to another value`,
  );
}

/** Creates a client; throws a SignalboxError when neither the options nor the environment name an API key. */
export function createClient(options: ClientOptions = {}): Signalbox {
  const transport = new Transport(options);
  const caller = new Caller(transport);
  const close = (): void => transport.close();
  const families = Object.entries(OPERATIONS).map(([family, verbs]) => {
    const methods = Object.entries(verbs).map(([verb, line]) => {
      const operation = parseOperation(line);
      return [verb, (input: Input = {}, call: StreamOptions = {}) => caller.call(operation, input, call)];
    });
    return [family, Object.fromEntries(methods) as object];
  });
  const dispose = { close, [Symbol.asyncDispose]: () => Promise.resolve(close()) };
  return Object.assign(Object.fromEntries(families) as Families, dispose);
}
