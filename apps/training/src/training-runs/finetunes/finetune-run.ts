import {
  type ApiError,
  type Emission,
  emission,
  type FinetuneJobReport,
  type FinetuneRun,
  type FinetuneRunStatus,
  type Hyperparameters,
  trainingEvents,
} from '@signalbox/contracts';
import { type States, statesOf } from '@signalbox/runs/rules';

export type FinetuneTrigger = 'validate' | 'queue' | 'start' | 'complete' | 'fail' | 'cancel';

const TO_END = { fail: 'FAILED', cancel: 'CANCELLED' } as const;
const states = statesOf<FinetuneRunStatus, FinetuneTrigger>('finetune run', {
  CREATED: { validate: 'VALIDATING', ...TO_END },
  VALIDATING: { queue: 'QUEUED', ...TO_END },
  QUEUED: { start: 'RUNNING', ...TO_END },
  RUNNING: { complete: 'COMPLETED', ...TO_END },
  COMPLETED: {},
  FAILED: {},
  CANCELLED: {},
});

/** Errors name the serial number, which clients know. */
export const finetuneStates: States<FinetuneRunStatus, FinetuneTrigger> = {
  isTerminal: states.isTerminal,
  move: (run, trigger) => states.move({ ...run, id: String((run as { no?: number }).no ?? run.id) }, trigger),
};

export interface RunningFinetune {
  id: string;
  no: number;
  status: FinetuneRunStatus;
  last_seq: number;
  has_secrets: boolean;
  intent_group_id: number;
  base_model: string;
  provider_id: number;
  provider_model: string;
  hyperparameters: Hyperparameters;
  training_request_count: number;
  validation_request_count: number;
  training_bytes: number;
  validation_bytes: number;
  training_file_id: string | null;
  validation_file_id: string | null;
  provider_job_id: string | null;
  progress: number;
  contacted_at: number;
  date_created: number;
  completed_at: number | null;
}

export type FinetuneAct = 'validate' | 'upload_train' | 'upload_validation' | 'submit' | 'poll';

type Progress = Pick<
  RunningFinetune,
  'status' | 'training_file_id' | 'validation_file_id' | 'validation_request_count'
>;

export function nextAct({
  status,
  training_file_id,
  validation_file_id,
  validation_request_count,
}: Progress): FinetuneAct {
  if (status === 'CREATED') return 'validate';
  if (status !== 'VALIDATING') return 'poll';
  if (training_file_id === null) return 'upload_train';
  return validation_request_count > 0 && validation_file_id === null ? 'upload_validation' : 'submit';
}

/** Waiting at the provider has no event. */
export function lifecycle(trigger: FinetuneTrigger | null, run: FinetuneRun): Emission[] {
  switch (trigger) {
    case null:
      return [emission(trainingEvents, 'finetune_run.created', run.id, run)];
    case 'start':
      return [emission(trainingEvents, 'finetune_run.started', run.id, run)];
    case 'complete': {
      const model_name = run.finetuned_model_name ?? '';
      return [emission(trainingEvents, 'finetune_run.completed', run.id, { ...run, model_name })];
    }
    case 'fail':
      return [emission(trainingEvents, 'finetune_run.failed', run.id, run)];
    case 'cancel':
      return [emission(trainingEvents, 'finetune_run.cancelled', run.id, run)];
    default:
      return [];
  }
}

const MIN_POLL_MS = 250;
const MAX_POLL_MS = 15_000;

/** Short for a young job, longer for one that takes hours. */
export function pollDelay(ageMs: number): number {
  return Math.max(MIN_POLL_MS, Math.min(MAX_POLL_MS, Math.round(ageMs / 20)));
}

/** The progress never falls. */
export function progressOf({ job, events }: FinetuneJobReport, before: number) {
  const steps = events.flatMap(({ metrics }) => metrics ?? []);
  const last = steps.at(-1);
  const share = last?.total_steps ? Math.min(99, Math.floor((100 * last.step) / last.total_steps)) : before;
  return {
    progress: job.status === 'succeeded' ? 100 : Math.max(before, share),
    losses: last && {
      train_loss: last.train_loss,
      ...(last.validation_loss === null ? {} : { validation_loss: last.validation_loss }),
    },
  };
}

/** For one call of a provider, which may transfer a file of half a gigabyte. */
export const PROVIDER_CALL_MS = 600_000;

/** How long a provider may be unreachable before the run fails, or its job is left to itself. */
export const MAX_SILENCE_MS = 3_600_000;

/** The provider, or the service that calls it, may be reached later. */
export const isPassing = ({ kind }: ApiError): boolean =>
  kind === 'bad_upstream' || kind === 'timeout' || kind === 'unavailable';

export const defaultName = (compositionName: string, now: number): string =>
  `${compositionName.slice(0, 185)} ${new Date(now).toISOString().slice(0, 10)}`;
