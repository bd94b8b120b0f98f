import { failed } from '../failures.js';
import {
  type FinetuneJob,
  JOB_STATUSES,
  type JobCheckpoint,
  type JobEvent,
  type JobStatus,
} from './finetune-provider.js';

type Json = Record<string, unknown>;

const MAX_STEP = 2_147_483_647;

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;
/** Without NUL and lone surrogates, which Postgres rejects. */
const textOf = (value: unknown, max = 1000): string | null =>
  typeof value === 'string' ? value.slice(0, max).replaceAll(/\0|\p{Surrogate}/gu, '') : null;
const numberOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;

function stepOf(value: unknown): number | null {
  const step = numberOf(value);
  return step === null || step < 0 || step > MAX_STEP ? null : Math.trunc(step);
}

export function recordsIn(answer: unknown): Json[] {
  const { data } = isObject(answer) ? answer : {};
  if (!Array.isArray(data)) throw failed('invalid_response', 'the provider did not answer with a list');
  return data.filter(isObject);
}

export function jobOf(answer: unknown): FinetuneJob {
  const { id, status, fine_tuned_model, error } = isObject(answer) ? answer : {};
  const known = JOB_STATUSES.find((each) => each === status);
  if (typeof id !== 'string' || known === undefined)
    throw failed('invalid_response', 'the provider did not answer with a fine-tuning job');
  return {
    id,
    status: known satisfies JobStatus,
    fine_tuned_model: textOf(fine_tuned_model, 200),
    error_message: isObject(error) ? textOf(error.message) : null,
  };
}

/** Events of type `metrics` have the losses of a step. */
export function eventOf(record: Json): JobEvent {
  const { id, created_at, level, message, type, data } = record;
  const seconds = numberOf(created_at);
  return {
    id: textOf(id, 200) ?? '',
    timestamp: seconds === null ? Date.now() : Math.round(seconds * 1000),
    level: level === 'error' ? 'error' : level === 'warn' ? 'warn' : 'info',
    message: textOf(message) ?? '',
    metrics: type === 'metrics' && isObject(data) ? metricsOf(data) : null,
  };
}

function metricsOf(data: Json): JobEvent['metrics'] {
  const [step, train_loss] = [stepOf(data.step), numberOf(data.train_loss)];
  if (step === null || train_loss === null) return null;
  const validation_loss = numberOf(data.valid_loss) ?? numberOf(data.full_valid_loss);
  return { step, total_steps: stepOf(data.total_steps), train_loss, validation_loss };
}

export function checkpointOf(record: Json): JobCheckpoint {
  const { step_number, fine_tuned_model_checkpoint, metrics } = record;
  const numbers = Object.entries(isObject(metrics) ? metrics : {}).filter(([, value]) => numberOf(value) !== null);
  return {
    step: stepOf(step_number) ?? 0,
    model_name: textOf(fine_tuned_model_checkpoint, 200) ?? '',
    metrics: Object.fromEntries(numbers) as Record<string, number>,
  };
}
