import { isUtf8 } from 'node:buffer';
import { ApiError } from '@signalbox/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { jsonScanProblem, type JsonLimits } from '../limits/json-scan.js';

/** Bytes of an ordinary JSON body. */
export const BODY_BYTES = 1_048_576;
/** Bytes of the body of an endpoint that takes large ones. */
export const LARGE_BODY_BYTES = 10_485_760;

const LIMITS: JsonLimits = { maxDepth: 64, maxKeys: 10_000 };
const LARGE_LIMITS: JsonLimits = { maxDepth: 64, maxKeys: 100_000 };

/** The value of a JSON body; throws 400. An empty one is undefined. */
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

/** JSON is the only media type that is read; everything else is 415. */
export function readJsonBodies(app: FastifyInstance, large: boolean): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', bodyLimit: large ? LARGE_BODY_BYTES : BODY_BYTES },
    (_request: FastifyRequest, bytes: Buffer, done) => {
      try {
        done(null, parseBody(bytes, large));
      } catch (error) {
        done(error as Error);
      }
    },
  );
}

/** Chosen: a body on GET, HEAD or DELETE is ignored, for some clients send one by habit. */
export function ignoreBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
}

/** Throws 415 for a compressed body: its size is not what it says. */
export function requirePlain(encoding: string | undefined): void {
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    throw new ApiError('unsupported_media', 'compressed bodies are not accepted');
}
