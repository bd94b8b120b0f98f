import { Controller, Post } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { BusClient } from '@signalbox/bus';
import {
  ApiError,
  MAX_OTLP_BYTES,
  OTLP_TYPES,
  type OtlpExport,
  otelIngest,
  type OtlpSignal,
  type OtlpType,
} from '@signalbox/contracts';
import { BodyReader, unreadBodyOf } from '../bodies/index.js';
import { requireScope } from '../keys/index.js';
import { ConcurrencyQueue } from '../limits/index.js';
import { ContentReply, type Reply } from '../replies/index.js';
import { Context, PREFIX, type RequestContext } from '../request/index.js';

const CALL_MS = 30_000;
const SMALL_BYTES = 65_536;
const LARGE_EXPORTS = { slots: 16, slotsPerKey: 4, waitMs: 5000 };

/** Exporters add `/v1/<signal>` to the address that they are given. */
export const OTEL_PATHS: readonly string[] = ['', PREFIX].flatMap((prefix) =>
  ['traces', 'logs', 'metrics'].map((signal) => `${prefix}/otel/v1/${signal}`),
);

const pathsOf = (signal: OtlpSignal): string[] => OTEL_PATHS.filter((path) => path.endsWith(signal));

/** Passes OTLP exports on as they are; their service decompresses and parses them. */
@Controller()
export class OtelController {
  private readonly large = new ConcurrencyQueue(LARGE_EXPORTS);

  constructor(
    private readonly bodies: BodyReader,
    private readonly bus: BusClient,
  ) {}

  @Post(pathsOf('traces'))
  @RouteConfig({ bearer: true })
  traces(@Context() context: RequestContext): Promise<Reply> {
    return this.store(context, 'traces');
  }

  @Post(pathsOf('logs'))
  @RouteConfig({ bearer: true })
  logs(@Context() context: RequestContext): Promise<Reply> {
    return this.store(context, 'logs');
  }

  @Post(pathsOf('metrics'))
  @RouteConfig({ bearer: true })
  metrics(@Context() context: RequestContext): Promise<Reply> {
    return this.store(context, 'metrics');
  }

  /** Throws 400, 403, 413, 415 and 503. */
  private async store(context: RequestContext, signal: OtlpSignal): Promise<Reply> {
    const { key, request } = context;
    try {
      requireScope(key, 'ingest');
      const media_type = mediaTypeOf(request.mediaType);
      const gzip = isGzip(request.raw.headers['content-encoding']);
      const release = await this.slotFor(context);
      try {
        const reply = await this.send(context, { signal, media_type, gzip });
        return new ContentReply(Buffer.from(reply.body, 'base64'), media_type);
      } finally {
        release();
      }
    } catch (error) {
      await unreadBodyOf(request.raw);
      throw error;
    }
  }

  /** Awaited before the body is read. */
  private slotFor({ key, request }: RequestContext): Promise<() => void> {
    if (Number(request.raw.headers['content-length']) <= SMALL_BYTES) return Promise.resolve(() => undefined);
    return this.large.slot(String(key?.companyId ?? 0), tooManyExports);
  }

  private async send({ key, request, response }: RequestContext, about: Omit<OtlpExport, 'body'>) {
    const companyId = key?.companyId ?? 0;
    const body = await this.bodies.read({ raw: request.raw, response, companyId }, MAX_OTLP_BYTES);
    return this.bus.call(
      otelIngest.endpoints.storeExport,
      { ...about, body: body.toString('base64') },
      {
        companyId,
        keyId: key?.keyId ?? null,
        scopes: [],
        requestId: request.id,
        deadline: Date.now() + CALL_MS,
      },
    );
  }
}

const tooManyExports = (): ApiError =>
  new ApiError('unavailable', 'too many large exports are being received', { retryAfter: 1 });

function mediaTypeOf(type: string | undefined): OtlpType {
  const known = OTLP_TYPES.find((each) => each === type);
  if (!known) throw new ApiError('unsupported_media', `the body must be ${OTLP_TYPES.join(' or ')}`);
  return known;
}

function isGzip(encoding: string | undefined): boolean {
  const name = encoding?.trim().toLowerCase() ?? 'identity';
  if (name !== 'gzip' && name !== 'identity')
    throw new ApiError('unsupported_media', 'the body must be compressed with gzip or not at all');
  return name === 'gzip';
}
