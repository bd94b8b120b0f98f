import { randomUUID } from 'node:crypto';
import { failed } from '../failures.js';
import type { FinetuneJob, FinetuneProvider, JobCheckpoint, JobEvent, NewJob } from './finetune-provider.js';

const WAITING_MS = 150;
const STEP_MS = 40;
const MAX_STEPS = 40;
const LABEL = '[simulated]';

/** Encoded in the id, so it survives every restart. */
interface SimulatedJob {
  id: string;
  startedAt: number;
  steps: number;
  epochs: number;
  seed: number;
  isValidated: boolean;
}

const ID = /^simjob-(\d+)-(\d+)-(\d+)-(\d+)-([01])-[0-9a-f]{8}$/;

/** A simulated job whose losses follow from its seed. */
export function simulatedFinetuning(now: () => number = Date.now): FinetuneProvider {
  return {
    uploadFile: ({ lines }) => Promise.resolve(`simfile-${lines}-${randomUUID().slice(0, 8)}`),
    createJob: (job) => Promise.resolve(stateOf(simulatedJob(newId(job, now())), now())),
    findJob: () => Promise.resolve(null),
    getJob: async (id) => stateOf(simulatedJob(id), now()),
    listEvents: async (id) => eventsOf(simulatedJob(id), now()),
    listCheckpoints: async (id) => checkpointsOf(simulatedJob(id), now()),
    cancelJob: async () => undefined,
  };
}

function newId({ training_file, validation_file, n_epochs, batch_size, seed }: NewJob, now: number): string {
  const lines = Number(training_file.split('-')[1]);
  const steps = Math.min(MAX_STEPS, Math.max(1, Math.ceil((lines * n_epochs) / (batch_size ?? 1))));
  const suffix = randomUUID().slice(0, 8);
  return `simjob-${now}-${steps}-${n_epochs}-${seed ?? 0}-${validation_file === null ? 0 : 1}-${suffix}`;
}

function simulatedJob(id: string): SimulatedJob {
  const found = ID.exec(id);
  if (!found) throw failed('invalid_response', `there is no job ${id}`);
  const [startedAt = 0, steps = 1, epochs = 1, seed = 0, validated] = found.slice(1, 6).map(Number);
  return { id, startedAt, steps, epochs, seed, isValidated: validated === 1 };
}

/** Completed steps; -1 before the job runs. */
function doneOf({ startedAt, steps }: SimulatedJob, now: number): number {
  const elapsed = now - startedAt - 2 * WAITING_MS;
  return elapsed < 0 ? -1 : Math.min(steps, Math.floor(elapsed / STEP_MS));
}

function stateOf(job: SimulatedJob, now: number): FinetuneJob {
  const done = doneOf(job, now);
  const isOver = done >= job.steps;
  const waiting = now - job.startedAt < WAITING_MS ? 'validating_files' : 'queued';
  return {
    id: job.id,
    status: isOver ? 'succeeded' : done < 0 ? waiting : 'running',
    fine_tuned_model: isOver ? modelOf(job) : null,
    error_message: null,
  };
}

const modelOf = ({ id }: SimulatedJob): string => `ft:simulated-echo:${id.slice(-8)}`;

/** From 0 to 1, determined by seed and step. */
function noise(seed: number, step: number): number {
  let bits = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(step + 1, 0xc2b2ae35);
  bits = Math.imul(bits ^ (bits >>> 15), 0x2c1b3c6d);
  return ((bits ^ (bits >>> 12)) >>> 0) / 0x1_0000_0000;
}

const rounded = (value: number): number => Math.round(value * 10_000) / 10_000;
const trainLoss = ({ steps, seed }: SimulatedJob, step: number): number =>
  rounded(0.2 + 2 * Math.exp((-3 * step) / steps) * (0.9 + 0.2 * noise(seed, step)));
const validationLoss = (job: SimulatedJob, step: number): number | null =>
  job.isValidated ? rounded(trainLoss(job, step) * (1.05 + 0.1 * noise(job.seed, -step))) : null;

function eventsOf(job: SimulatedJob, now: number): JobEvent[] {
  const done = doneOf(job, now);
  const at = (step: number): number => job.startedAt + 2 * WAITING_MS + step * STEP_MS;
  const events = [said(job, 'created', job.startedAt, 'the job was created; it trains nothing')];
  for (let step = 1; step <= done; step++)
    events.push({
      ...said(job, `step-${step}`, at(step), `step ${step}/${job.steps}: training loss=${trainLoss(job, step)}`),
      metrics: {
        step,
        total_steps: job.steps,
        train_loss: trainLoss(job, step),
        validation_loss: validationLoss(job, step),
      },
    });
  if (done >= job.steps) events.push(said(job, 'done', at(job.steps), 'the job has successfully completed'));
  return events;
}

const said = ({ id }: SimulatedJob, name: string, timestamp: number, text: string): JobEvent => ({
  id: `${id}-${name}`,
  timestamp,
  level: 'info',
  message: `${LABEL} ${text}`,
  metrics: null,
});

/** At the end of each of the last three epochs. */
function checkpointsOf(job: SimulatedJob, now: number): JobCheckpoint[] {
  const done = doneOf(job, now);
  return Array.from({ length: Math.min(3, job.epochs) }, (_, back) =>
    Math.ceil((job.steps * (job.epochs - back)) / job.epochs),
  )
    .reverse()
    .filter((step, at, all) => step <= done && all.indexOf(step) === at)
    .map((step) => ({
      step,
      model_name: step === job.steps ? modelOf(job) : `${modelOf(job)}:ckpt-step-${step}`,
      metrics: { step, train_loss: trainLoss(job, step) },
    }));
}
