import { Controller, Post } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { BusClient } from '@signalbox/bus';
import { ApiError, MAX_OTLP_BYTES, OTLP_TYPES, otelIngest, type OtlpSignal, type OtlpType } from '@signalbox/contracts';
import { BodyReader, unreadBodyOf } from '../bodies/index.js';
import { requireScope } from '../keys/index.js';
import { ContentReply, type Reply } from '../replies/index.js';
import { Context, PREFIX, type RequestContext } from '../request/index.js';

const CALL_MS = 30_000;

/** The paths of OTLP over HTTP: exporters add `/v1/<signal>` to the address that they are given. */
export const OTEL_PATHS: readonly string[] = ['', PREFIX].flatMap((prefix) =>
  ['traces', 'logs', 'metrics'].map((signal) => `${prefix}/otel/v1/${signal}`),
);

const pathsOf = (signal: OtlpSignal): string[] => OTEL_PATHS.filter((path) => path.endsWith(signal));

/** Receives exports of OpenTelemetry and passes them on as they are: they are unpacked and read by their service. */
@Controller()
export class OtelController {
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

  /** Throws 403, 413, 415, 400 and 503. */
  private async store(context: RequestContext, signal: OtlpSignal): Promise<Reply> {
    try {
      const { key, request, response } = context;
      requireScope(key, 'ingest');
      const media_type = mediaTypeOf(request.mediaType);
      const gzip = isGzip(request.raw.headers['content-encoding']);
      const body = await this.bodies.read({ raw: request.raw, response }, MAX_OTLP_BYTES);
      const reply = await this.bus.call(
        otelIngest.endpoints.storeExport,
        { signal, media_type, gzip, body: body.toString('base64') },
        {
          companyId: key?.companyId ?? 0,
          keyId: key?.keyId ?? null,
          scopes: [],
          requestId: request.id,
          deadline: Date.now() + CALL_MS,
        },
      );
      return new ContentReply(Buffer.from(reply.body, 'base64'), media_type);
    } catch (error) {
      await unreadBodyOf(context.request.raw);
      throw error;
    }
  }
}

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
