import { isUtf8 } from 'node:buffer';
import { ApiError } from '@signalbox/contracts';
import { jsonScanProblem, type JsonLimits } from './json-scan.js';

export const LARGE_BODY_BYTES = 10_485_760;

const LIMITS: JsonLimits = { maxDepth: 64, maxEntries: 10_000 };
const LARGE_LIMITS: JsonLimits = { maxDepth: 64, maxEntries: 100_000 };

/** Undefined for an empty body; throws 400. */
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

/** Throws 415 for a compressed body: its declared length would not bound its content. */
export function requirePlain(encoding: string | undefined): void {
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    throw new ApiError('unsupported_media', 'compressed bodies are not accepted');
}
