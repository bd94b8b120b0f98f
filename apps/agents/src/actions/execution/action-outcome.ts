import type { ErrorCode, FailureClass, Usage } from '@signalbox/contracts';

/** Without secrets and in a storable form. */
export interface ActionOutcome {
  status: 'SUCCESS' | 'ERROR' | 'TIMEOUT';
  output: unknown;
  duration_ms: number;
  failure_class: FailureClass | null;
  error_code: ErrorCode | null;
  error_message: string | null;
  usage: Usage | null;
}

export type ActionResult = Omit<ActionOutcome, 'duration_ms'>;

export const success = (output: unknown, usage: Usage | null = null): ActionResult => ({
  status: 'SUCCESS',
  output,
  failure_class: null,
  error_code: null,
  error_message: null,
  usage,
});

const CODES: Partial<Record<FailureClass, ErrorCode>> = { provider: 'provider_error', timeout: 'timeout' };

export const failed = (
  failure_class: FailureClass,
  error_message: string,
  more: { error_code?: ErrorCode; output?: unknown; status?: 'TIMEOUT' } = {},
): ActionResult => ({
  status: more.status ?? 'ERROR',
  output: more.output ?? null,
  failure_class,
  error_code: more.error_code ?? CODES[failure_class] ?? null,
  error_message,
  usage: null,
});
