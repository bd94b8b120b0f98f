import { Egress } from '@signalbox/egress';
import {
  type FinetuneProvider,
  type NewJob,
  OpenAiFinetuning,
  simulatedFinetuning,
  type TrainingFile,
} from '@signalbox/llm';
import { FinetuningJobs, type ModelProvider, startModelProvider } from '@signalbox/testing';
import OpenAI, { toFile } from 'openai';

const KEY = 'sk-very-secret-key-123';
const line = (n: number): string =>
  `${JSON.stringify({
    messages: [
      { role: 'user', content: `Frage ${n} ü` },
      { role: 'assistant', content: 'ja' },
    ],
  })}\n`;
const LINES = Array.from({ length: 10 }, (_, n) => line(n));
const TEXT = LINES.join('');
const context = () => ({ timeoutMs: 5_000, signal: new AbortController().signal });
const fileOf = (more: Partial<TrainingFile> = {}): TrainingFile => ({
  filename: 'run-1-train.jsonl',
  bytes: Buffer.byteLength(TEXT),
  lines: LINES.length,

  content: async function* () {
    yield* LINES;
  },
  ...more,
});
const jobOf = (training_file: string): NewJob => ({
  model: 'gpt-4o-mini',
  training_file,
  validation_file: null,
  n_epochs: 2,
  batch_size: 4,
  learning_rate_multiplier: null,
  seed: 7,
  suffix: 'run-1',
});

describe('an OpenAI-compatible provider of fine-tuning', () => {
  let jobs: FinetuningJobs;
  let server: ModelProvider;
  let egress: Egress;
  let provider: FinetuneProvider;
  beforeEach(async () => {
    jobs = new FinetuningJobs({ steps: 2 });
    server = await startModelProvider({ apiKey: KEY, finetuning: jobs });
    egress = new Egress({ allow: ['127.0.0.0/8'] });
    provider = new OpenAiFinetuning({ baseUrl: server.url, apiKey: KEY, egress });
  });
  afterEach(async () => {
    await egress.close();
    await server.close();
  });
  const after = async (id: string, reads: number) => {
    for (let read = 1; read < reads; read++) await provider.getJob(id, context());
    return provider.getJob(id, context());
  };

  it('is sent a file while it is read, and the same file once', async () => {
    const id = await provider.uploadFile(fileOf(), context());
    expect(jobs.files.get(id)).toMatchObject({ text: TEXT, filename: 'run-1-train.jsonl', purpose: 'fine-tune' });
    expect(await provider.uploadFile(fileOf(), context())).toBe(id);
    expect(await provider.uploadFile(fileOf({ filename: 'run-2-train.jsonl' }), context())).not.toBe(id);
  });

  it('trains a job whose events, metrics and checkpoints can be read', async () => {
    const file = await provider.uploadFile(fileOf(), context());
    const { id, status } = await provider.createJob(jobOf(file), context());
    expect(status).toBe('validating_files');
    expect(await provider.createJob(jobOf(file), context())).toMatchObject({ id });
    expect(server.calls.find(({ method, path }) => method === 'POST' && path.endsWith('/jobs'))?.body).toEqual({
      model: 'gpt-4o-mini',
      training_file: file,
      seed: 7,
      suffix: 'run-1',
      method: { type: 'supervised', supervised: { hyperparameters: { n_epochs: 2, batch_size: 4 } } },
    });
    expect(await after(id, 5)).toMatchObject({ status: 'succeeded', fine_tuned_model: expect.stringMatching(/^ft:/) });
    const events = await provider.listEvents(id, context());
    expect(events[0]).toMatchObject({ level: 'info', message: `Created fine-tuning job: ${id}`, metrics: null });
    expect(events.flatMap(({ metrics }) => metrics ?? [])).toEqual([
      { step: 1, total_steps: 2, train_loss: 2, validation_loss: null },
      { step: 2, total_steps: 2, train_loss: 1, validation_loss: null },
    ]);
    const checkpoints = await provider.listCheckpoints(id, context());
    expect(checkpoints).toMatchObject(
      [{ step: 1, model_name: /ckpt-step-1/ }, { step: 2 }].map(({ step }) => ({ step })),
    );
  });

  it('refuses a file with too few rows, and cancels a job once', async () => {
    const few = fileOf({
      content: async function* () {
        yield line(1);
      },
      bytes: Buffer.byteLength(line(1)),
    });
    const short = await provider.createJob(jobOf(await provider.uploadFile(few, context())), context());
    expect(await provider.getJob(short.id, context())).toMatchObject({
      status: 'failed',
      error_message: 'Training file has 1 example(s), but must have at least 10 examples',
    });
    const { id } = await provider.createJob(jobOf(await provider.uploadFile(fileOf(), context())), context());
    await provider.cancelJob(id, context());
    expect(await provider.getJob(id, context())).toMatchObject({ status: 'cancelled' });
    await expect(provider.cancelJob(id, context())).rejects.toMatchObject({ code: 'invalid_request', status: 400 });
  });

  it('is sent nothing more when a file cannot be read to its end', async () => {
    const broken = fileOf({
      content: async function* () {
        yield line(1);
        throw new Error('the rows are gone');
      },
    });
    await expect(provider.uploadFile(broken, context())).rejects.toThrow();
    expect(jobs.files.size).toBe(0);
  });

  it('keeps its key out of failures', async () => {
    const wrong = new OpenAiFinetuning({ baseUrl: server.url, apiKey: 'sk-wrong-key-4567', egress });
    const failure = await wrong.getJob('x', context()).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'unauthorized' });
    expect(String(failure)).not.toContain('sk-wrong');
  });
});

it('the fake provider serves the official client', async () => {
  const jobs = new FinetuningJobs({ steps: 1 });
  const server = await startModelProvider({ apiKey: KEY, finetuning: jobs });
  try {
    const client = new OpenAI({ baseURL: server.url, apiKey: KEY, maxRetries: 0 });
    const file = await client.files.create({ file: await toFile(Buffer.from(TEXT), 'a.jsonl'), purpose: 'fine-tune' });
    expect(jobs.files.get(file.id)?.text).toBe(TEXT);
    const job = await client.fineTuning.jobs.create({ model: 'gpt-4o-mini', training_file: file.id });
    for (let read = 0; read < 4; read++) await client.fineTuning.jobs.retrieve(job.id);
    const done = await client.fineTuning.jobs.retrieve(job.id);
    expect(done).toMatchObject({ status: 'succeeded', object: 'fine_tuning.job' });
    expect((await client.fineTuning.jobs.listEvents(job.id)).data.map(({ type }) => type)).toContain('metrics');
    expect((await client.fineTuning.jobs.checkpoints.list(job.id)).data[0]).toMatchObject({ step_number: 1 });
  } finally {
    await server.close();
  }
});

describe('simulated fine-tuning', () => {
  it('runs a labelled pretend job whose losses follow from its seed', async () => {
    let now = 1_000_000;
    const provider = simulatedFinetuning(() => now);
    const file = await provider.uploadFile(fileOf(), context());
    const { id } = await provider.createJob(jobOf(file), context());
    const states = [];
    for (const later of [0, 200, 200, 200, 200]) {
      now += later;
      states.push((await provider.getJob(id, context())).status);
    }
    expect(states).toEqual(['validating_files', 'queued', 'running', 'succeeded', 'succeeded']);
    const events = await provider.listEvents(id, context());
    expect(events.every(({ message }) => message.startsWith('[simulated]'))).toBe(true);
    const again = await provider.createJob(jobOf(file), context());
    now += 10_000;
    const losses = async (job: string) =>
      (await provider.listEvents(job, context())).map(({ metrics }) => metrics?.train_loss);
    expect(await losses(again.id)).toEqual(await losses(id));
    const other = await provider.createJob({ ...jobOf(file), seed: 8 }, context());
    now += 10_000;
    expect(await losses(other.id)).not.toEqual(await losses(id));
    expect((await provider.listCheckpoints(id, context())).at(-1)?.model_name).toBe(
      (await provider.getJob(id, context())).fine_tuned_model,
    );
  });
});
