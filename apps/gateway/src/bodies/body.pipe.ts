import { Injectable, type PipeTransform } from '@nestjs/common';
import { ApiError, type Endpoint, invalidField, UPLOAD_TYPES } from '@signalbox/contracts';
import { largeWork } from '@signalbox/platform';
import type { RequestContext } from '../request/index.js';
import { BodyReader, BodyTooSlow, SMALL_BYTES } from './body-reader.js';
import { FileReader } from './file-reader.js';
import { readFormBody } from './form-body.js';
import { LARGE_BODY_BYTES, parseBody, requirePlain } from './json-body.js';
import { unreadBodyOf } from './unread-body.js';
import { UploadReader } from './upload-reader.js';

const FORM = 'multipart/form-data';
const TEXT_FILES: readonly string[] = [...UPLOAD_TYPES, FORM];

const unsupported = (): ApiError => new ApiError('unsupported_media', 'the body must be application/json');

/** The upload of a call is set by this process alone. */
function refuseUpload(body: unknown): void {
  if (typeof body === 'object' && body !== null && 'upload' in body)
    throw invalidField('upload', 'is not a known field');
}

/**
 * Reads and bounds the body of a call, of which nothing is read before: the guards have passed. Throws 400, 413, 415
 * and 503.
 */
@Injectable()
export class BodyPipe implements PipeTransform<RequestContext, RequestContext | Promise<RequestContext>> {
  constructor(
    private readonly bodies: BodyReader,
    private readonly uploads: UploadReader,
    private readonly files: FileReader,
  ) {}

  transform(context: RequestContext): RequestContext | Promise<RequestContext> {
    // Also without a body: the large work of others leaves time for it.
    largeWork.seen(context.companyId);
    // Chosen: a body on GET, HEAD or DELETE is ignored, for some clients send one by habit.
    return context.route === null || context.route.body === 'none' ? context : this.withBody(context);
  }

  private async withBody(context: RequestContext): Promise<RequestContext> {
    try {
      context.body = await this.read(context);
      return context;
    } catch (error) {
      // A client that sends for ever would keep its connection for as long.
      if (error instanceof BodyTooSlow) context.response.shouldKeepAlive = false;
      await unreadBodyOf(context.request.raw);
      throw error;
    }
  }

  private async read(context: RequestContext): Promise<unknown> {
    const { route, request } = context;
    if (!route) return undefined;
    const { headers } = request.raw;
    requirePlain(headers['content-encoding']);
    // Its events were missed: the client has left while its key was looked up.
    if (request.raw.destroyed) throw new ApiError('invalid', 'the body is not complete');
    if (headers['content-type'] === undefined && isEmpty(headers)) return undefined;
    const type = request.mediaType;
    if (route.body === 'text-file') {
      if (type === undefined || !TEXT_FILES.includes(type)) throw unsupported();
      return this.uploads.read(context);
    }
    if (type === FORM && route.body === 'file') return this.files.read(context, route.endpoint);
    if (type === FORM && route.body === 'form') return this.form(context, route.endpoint);
    if (type !== 'application/json') throw unsupported();
    const body = await this.json(context, route.body !== 'json' || route.takesLargeBody);
    if (route.body === 'file') refuseUpload(body);
    return body;
  }

  private async json({ request, response, key, companyId }: RequestContext, large: boolean): Promise<unknown> {
    const limit = large ? LARGE_BODY_BYTES : SMALL_BYTES;
    const bytes = await this.bodies.read({ raw: request.raw, response, companyId: key?.companyId ?? null }, limit);
    await largeWork.turn(bytes.length, companyId);
    return parseBody(bytes, large);
  }

  private async form({ request, response, key }: RequestContext, endpoint: Endpoint): Promise<object> {
    const bytes = await this.bodies.read(
      { raw: request.raw, response, companyId: key?.companyId ?? null },
      LARGE_BODY_BYTES,
    );
    return readFormBody(endpoint, request.headers['content-type'] ?? '', bytes);
  }
}

const isEmpty = (headers: RequestContext['request']['raw']['headers']): boolean =>
  headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0';
