import { isUtf8 } from 'node:buffer';
import { ApiError } from '@signalbox/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { jsonScanProblem, type JsonLimits } from '../limits/json-scan.js';
import { type BodyReader, SMALL_BYTES } from './body-reader.js';

/** Limit of the body of an endpoint with large bodies. */
export const LARGE_BODY_BYTES = 10_485_760;

const LIMITS: JsonLimits = { maxDepth: 64, maxEntries: 10_000 };
const LARGE_LIMITS: JsonLimits = { maxDepth: 64, maxEntries: 100_000 };

/** The value of a JSON body, undefined when it is empty; throws 400. */
export function parseBody(bytes: Buffer, large: boolean): unknown {
  if (bytes.length === 0) return undefined;
  if (!isUtf8(bytes)) throw new ApiError('invalid', 'the body is not UTF-8');
  const problem = jsonScanProblem(bytes, large ? LARGE_LIMITS : LIMITS);
  if (problem) throw new ApiError('invalid', problem);
  try {
    return JSON.parse(bytes.toString()) as unknown;
  } catch {
    throw new ApiError('invalid', 'the body is not valid JSON');
  }
}

/** JSON is the only accepted media type; everything else is 415. `check` throws for a body that it refuses. */
export function readJsonBodies(
  app: FastifyInstance,
  large: boolean,
  reader: BodyReader,
  check?: (body: unknown) => void,
): void {
  const limit = large ? LARGE_BODY_BYTES : SMALL_BYTES;
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', (request: FastifyRequest, _payload, done) => {
    reader.read(request, limit, (failure, bytes) => {
      if (failure || !bytes) return done(failure);
      let body: unknown;
      try {
        body = parseBody(bytes, large);
        check?.(body);
      } catch (error) {
        return done(error as Error);
      }
      done(null, body);
    });
  });
}

/** Chosen: a body on GET, HEAD or DELETE is ignored, for some clients send one by habit. */
export function ignoreBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
}

/** Throws 415 for a compressed body: its declared length is not the length of its content. */
export function requirePlain(encoding: string | undefined): void {
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    throw new ApiError('unsupported_media', 'compressed bodies are not accepted');
}
