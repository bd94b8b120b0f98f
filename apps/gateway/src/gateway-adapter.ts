import type { Socket } from 'node:net';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ConnectionLimits, Connections } from './limits/connections.js';
import type { ClientAddresses } from './limits/client-address.js';
import { parserErrorOf, parserErrorResponse } from './replies/parser-errors.js';
import { routedUrl } from './portal/company-path.js';
import { ownRequestId } from './replies/request-id.js';

/** Responds to a request whose path the router cannot read. */
type RouterFailed = (error: Error, request: FastifyRequest, reply: FastifyReply) => void;

const MAX_HEADER_BYTES = 16_384;
/**
 * The longest time for a whole request to arrive: that of a large file. Those who read a body limit the time of theirs.
 */
const ARRIVAL_MS = 900_000;
/** Above the idle timeout of common load balancers, so that they close the connection first. */
const KEEP_ALIVE_MS = 75_000;

/**
 * Nest on Fastify, with errors in our own envelope: Nest's handlers for unknown paths and thrown errors, and the
 * default error responses of Fastify and Node, are replaced.
 */
export class GatewayAdapter extends FastifyAdapter {
  private routerFailed: RouterFailed | undefined;

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
      frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) =>
        this.routerFailed?.(error, request, reply),
      clientErrorHandler: refuseOnSocket,
      http: {
        maxHeaderSize: MAX_HEADER_BYTES,
        headersTimeout: 10_000,
        requestTimeout: ARRIVAL_MS,
        connectionsCheckingInterval: 1000,
        // Node would respond without our envelope; a request without a host is served.
        requireHostHeader: false,
      },
    } as never);
    const { server } = this.instance;
    new Connections(limits, (address) => addresses.isProxy(address)).watch(server);
    server.maxHeadersCount = 0;
    // Node closes the connection on this method when it has no listener.
    server.on('connect', (_request, socket) => socket.end(parserErrorResponse(parserErrorOf('CONNECT'), randomUUID())));
    // An unknown expectation is no reason to refuse the request.
    server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  }

  /** Sets the handler of paths that the router cannot read. */
  onRouterError(answer: RouterFailed): void {
    this.routerFailed = answer;
  }

  override setNotFoundHandler(): ReturnType<FastifyAdapter['setNotFoundHandler']> {
    return this.instance;
  }

  override setErrorHandler(): ReturnType<FastifyAdapter['setErrorHandler']> {
    return this.instance;
  }
}

interface ParserSocket extends Socket {
  _httpMessage?: { headersSent: boolean } | null;
}

function refuseOnSocket(error: Error & { code?: string }, socket: ParserSocket): void {
  // Bytes of a response are on their way already: an error between them would be read as part of it.
  const answering = socket._httpMessage?.headersSent === true;
  if (error.code !== 'ECONNRESET' && socket.writable && !answering)
    socket.end(parserErrorResponse(parserErrorOf(error.code), randomUUID()));
  else socket.destroy(error);
}
