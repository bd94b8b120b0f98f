import { Injectable, type PipeTransform } from '@nestjs/common';
import { ApiError, type Endpoint, invalidField, UPLOAD_TYPES } from '@signalbox/contracts';
import { largeWork } from '@signalbox/platform';
import type { RequestContext } from '../request/index.js';
import { BodyReader, BodyTooSlow, notComplete, SMALL_BYTES } from './body-reader.js';
import { FileReader } from './file-reader.js';
import { readFormBody } from './form-body.js';
import { LARGE_BODY_BYTES, parseBody, requirePlain } from './json-body.js';
import { unreadBodyOf } from './unread-body.js';
import { UploadReader } from './upload-reader.js';

const FORM = 'multipart/form-data';
const TEXT_FILES: readonly string[] = [...UPLOAD_TYPES, FORM];

const unsupported = (): ApiError => new ApiError('unsupported_media', 'the body must be application/json');

function refuseUpload(body: unknown): void {
  if (typeof body === 'object' && body !== null && 'upload' in body)
    throw invalidField('upload', 'is not a known field');
}

/** Runs after the guards; nothing of the body is read before. Throws 400, 413, 415 and 503. */
@Injectable()
export class BodyPipe implements PipeTransform<RequestContext, RequestContext | Promise<RequestContext>> {
  constructor(
    private readonly bodies: BodyReader,
    private readonly uploads: UploadReader,
    private readonly files: FileReader,
  ) {}

  transform(context: RequestContext): RequestContext | Promise<RequestContext> {
    // Calls without a body count too: large work of other companies gives way to them.
    largeWork.seen(context.companyId);
    // A body on GET, HEAD or DELETE is ignored: some clients always send one.
    return context.route === null || context.route.body === 'none' ? context : this.withBody(context);
  }

  private async withBody(context: RequestContext): Promise<RequestContext> {
    try {
      context.body = await this.read(context);
      return context;
    } catch (error) {
      // The client might never stop sending.
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
    // The client left while its key was looked up; no event will say so.
    if (request.raw.destroyed) throw notComplete();
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
