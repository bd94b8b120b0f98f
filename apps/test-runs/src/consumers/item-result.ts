import {
  ApiError,
  type ErrorCode,
  type ErrorKind,
  type FailureClass,
  type SourceRef,
  type Usage,
} from '@signalbox/contracts';
import { jsonOf, type Output } from '../judging/index.js';

export interface ItemResult {
  status: 'COMPLETED' | 'FAILED';
  output: Output | null;
  failure_class: FailureClass | null;
  error_code: ErrorCode | null;
  error_message: string | null;
  source_ref: SourceRef | null;
  /** Null when the usage is unknown. */
  usage: Usage | null;
  /** Of the task or run itself, which a lost worker may have started long before; null or absent when unknown. */
  duration_ms?: number | null | undefined;
}

const NO_FAILURE = { failure_class: null, error_code: null, error_message: null } as const;

export const completed = (output: Output, source_ref: SourceRef, usage: Usage | null): ItemResult => ({
  status: 'COMPLETED',
  output,
  ...NO_FAILURE,
  source_ref,
  usage,
});

/** Class `quality` means that the consumer worked and its output is unusable. */
export const failed = (
  failure_class: FailureClass,
  error_code: ErrorCode | null,
  error_message: string,
  source_ref: SourceRef | null = null,
  usage: Usage | null = null,
): ItemResult => ({
  status: failure_class === 'quality' ? 'COMPLETED' : 'FAILED',
  output: null,
  failure_class,
  error_code,
  error_message: error_message.slice(0, MAX_MESSAGE),
  source_ref,
  usage,
});

const MAX_MESSAGE = 4000;

export const INTERRUPTED = failed('internal', 'interrupted', 'the worker of the item was lost too often');
export const CANCELLED = failed('internal', 'cancelled', 'the test run was cancelled');
/** The process that held the secrets of the run is gone. */
export const SECRETS_UNAVAILABLE = failed(
  'internal',
  'secrets_unavailable',
  'the process that held the secrets of the run is gone',
);

const OWN_CODES = ['model_not_found', 'application_disabled'] as const;
/** `refused` is a response format that the model cannot produce. */
const PROVIDER_KINDS: readonly ErrorKind[] = ['bad_upstream', 'rate_limited', 'refused'];

/** Null when a dependency is down: the item is executed later. */
export function failureOf(error: unknown): ItemResult | null {
  if (!(error instanceof ApiError)) return failed('internal', null, 'internal server error');
  const { kind, message, extras } = error;
  if (kind === 'unavailable') return null;
  if (kind === 'timeout') return failed('timeout', 'timeout', message);
  if (PROVIDER_KINDS.includes(kind)) return failed('provider', 'provider_error', message);
  if (kind === 'internal') return failed('internal', null, message);
  // The consumer was changed, disabled or deleted after the run was created.
  return failed('internal', OWN_CODES.find((own) => own === extras.code) ?? 'invalid_config', message);
}

export function outputOf(message: Extract<Output, { message: unknown }>['message'], asksJson: boolean): Output {
  const json = asksJson ? jsonOf({ message }) : undefined;
  return json === undefined ? { message } : { json };
}
