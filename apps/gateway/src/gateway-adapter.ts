import type { Socket } from 'node:net';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { tracing } from '@signalbox/platform';
import { type ClientAddresses, type ConnectionLimits, Connections } from './limits/index.js';
import { parserErrorOf, parserErrorResponse, type ReplySender, type SendingAdapter } from './replies/index.js';
import { isWithoutHead, ownRequestId, requestContextOf, routedUrl, traceRequests } from './request/index.js';
import { Unmatched } from './unmatched/index.js';

type ErrorHandler = Parameters<FastifyAdapter['setErrorHandler']>[0];

const MAX_HEADER_BYTES = 16_384;
/** Head of a request, from its first byte; of a connection without any, Node says so after this time as well. */
const HEAD_ARRIVAL_MS = 10_000;
/** After that, for a connection on which nothing was asked. */
const UNUSED_MS = 20_000;
/** For a whole request, sized for a large file; readers of bodies have shorter limits of their own. */
const ARRIVAL_MS = 900_000;
/** Above the idle timeout of common load balancers, so that they close the connection first. */
const KEEP_ALIVE_MS = 75_000;

/**
 * Nest on Fastify without body parsing: pipes read bodies, after the guards. Errors of the router and of Node's parser
 * have our envelope too.
 */
export class GatewayAdapter extends FastifyAdapter implements SendingAdapter {
  private exceptionLayer: ErrorHandler | undefined;
  private sender: ReplySender | undefined;

  constructor(limits: ConnectionLimits, addresses: ClientAddresses) {
    super({
      logger: false,
      skipMiddie: true,
      multipart: false,
      bodyLimit: MAX_HEADER_BYTES,
      return503OnClosing: false,
      forceCloseConnections: 'idle',
      requestTimeout: ARRIVAL_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      rewriteUrl: (request: IncomingMessage) => routedUrl(request),
      genReqId: (request: IncomingMessage) => ownRequestId(request.headers['x-request-id']) ?? randomUUID(),
      routerOptions: { ignoreTrailingSlash: true, maxParamLength: MAX_HEADER_BYTES },
      exposeHeadRoutes: false,
      frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) =>
        void this.exceptionLayer?.call(this.instance, new Unmatched(error), request, reply),
      clientErrorHandler: refuseOnSocket,
      http: {
        maxHeaderSize: MAX_HEADER_BYTES,
        headersTimeout: HEAD_ARRIVAL_MS,
        requestTimeout: ARRIVAL_MS,
        connectionsCheckingInterval: 1000,
        // Node would respond without our envelope. HTTP/1.1 requests without a Host header are served.
        requireHostHeader: false,
      },
    } as never);
    // Keeps Fastify from parsing bodies.
    for (const method of this.instance.supportedMethods)
      this.instance.addHttpMethod(method, { hasBody: false, overrideExisting: true });
    this.instance.decorateRequest('requestContext', null);
    if (tracing) traceRequests(this.instance, tracing);
    const { server } = this.instance;
    new Connections(limits, (address) => addresses.isProxy(address)).watch(server);
    server.maxHeadersCount = 0;
    // Without a listener Node closes the connection on CONNECT.
    server.on('connect', (_request, socket) => socket.end(parserErrorResponse(parserErrorOf('CONNECT'), randomUUID())));
    // Requests with an unknown Expect header are served.
    server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  }

  /** Fastify calls `frameworkErrors` instead for a path that its router cannot decode. */
  override setErrorHandler(handler: ErrorHandler): ReturnType<FastifyAdapter['setErrorHandler']> {
    this.exceptionLayer = handler;
    return super.setErrorHandler(handler);
  }

  override get(...args: Parameters<FastifyAdapter['get']>): ReturnType<FastifyAdapter['get']> {
    const handler = args.at(-1) as object;
    if (!isWithoutHead(handler)) this.head(...args);
    return super.get(...args);
  }

  sendRepliesWith(sender: ReplySender): void {
    this.sender = sender;
  }

  /** Errors go to the exception filters, like those of the handler. */
  override reply(reply: FastifyReply, value: unknown): FastifyReply {
    return this.sender?.send(requestContextOf(reply.request, reply), value) as unknown as FastifyReply;
  }
}

interface ParserSocket extends Socket {
  _httpMessage?: { headersSent: boolean } | null;
}

function refuseOnSocket(error: Error & { code?: string }, socket: ParserSocket): void {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket.bytesRead === 0) return closeUnused(socket);
  // Bytes of a response are on their way: the client would read an error as part of it.
  const answering = socket._httpMessage?.headersSent === true;
  if (error.code !== 'ECONNRESET' && socket.writable && !answering)
    socket.end(parserErrorResponse(parserErrorOf(error.code), randomUUID()));
  else socket.destroy(error);
}

/**
 * Without a reply: it would be read as that of the first request, which a client sends late when its machine is busy or
 * when it opens connections in advance.
 */
function closeUnused(socket: Socket): void {
  setTimeout(() => {
    if (socket.bytesRead === 0) socket.destroy();
  }, UNUSED_MS).unref();
}
