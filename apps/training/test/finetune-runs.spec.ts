import {
  eventually,
  FinetuningJobs,
  type FinetuningCall,
  type ModelProvider,
  Platform,
  startModelProvider,
} from '@signalbox/testing';
import { World } from './world.js';

const KEY = 'sk-finetune-0123456789';

let platform: Platform;
let jobs: FinetuningJobs;
let server: ModelProvider;
let world: World;
beforeAll(async () => {
  platform = await Platform.shared(['accounts', 'traffic', 'training', 'test-runs', 'agents', 'gateway']);
}, 120_000);
afterAll(() => platform.stop());
beforeEach(async () => {
  world = await World.make(platform);
  jobs = new FinetuningJobs({ steps: 3 });
  server = await startModelProvider({ apiKey: KEY, finetuning: jobs });
});
afterEach(() => server.close());

/** A trainable model of the fake provider. */
async function baseModel(api_key = KEY): Promise<string> {
  const provider = { provider_name: 'lab', kind: 'openai_compatible', base_url: server.url, api_key };
  const { id: provider_id } = await world.data('POST /models/providers', provider);
  await world.data('POST /models', { model_name: 'base', provider_id, provider_model: 'gpt-4o-mini', trainable: true });
  return 'base';
}

async function composition(rows: number, more: Record<string, unknown> = {}) {
  const { id: dataset_id } = await world.filled(rows);
  const { id: intent_group_id } = await world.group('group of a mix');
  const entries = [{ dataset_id }];
  const made = await world.data('POST /compositions', { composition_name: 'Mix', intent_group_id, entries, ...more });
  return { ...made, dataset_id };
}

const runOf = (composition_id: number, base_model: string, more: object = {}) =>
  world.data('POST /finetune-runs', { composition_id, base_model, ...more });
const get = (id: number) => world.data(`GET /finetune-runs/${id}`);
const until = (id: number, status: string) =>
  eventually(`run ${id} is ${status}`, async () => {
    const run = await get(id);
    if (run.status !== status && ['COMPLETED', 'FAILED', 'CANCELLED'].includes(run.status))
      throw new Error(`the run is ${run.status}: ${run.error_message}`);
    return run.status === status ? run : undefined;
  });
const chat = (model: string, content: string) =>
  world.call('POST /chat/completions', { model, messages: [{ role: 'user', content }] });

/** Kills the service; its jobs are due at once, as after the end of their leases. */
async function killed(): Promise<void> {
  await platform.restartService('training', {});
  await platform.sql.query(
    'UPDATE training.work SET due_at = now(), lease_owner = NULL WHERE company_id = $1 AND done_at IS NULL',
    [world.companyId],
  );
}

/** Without the pause before the next attempt, after so many that have counted. */
const cancelNow = (attempts = 0) =>
  platform.sql.query(
    `UPDATE training.work SET due_at = now(), attempt = GREATEST(attempt, $2)
     WHERE company_id = $1 AND kind = 'finetune_cancel' AND lease_owner IS NULL AND done_at IS NULL`,
    [world.companyId, attempts],
  );

describe('a simulated finetune run', () => {
  it('makes a model that answers at once, and shows what happened', async () => {
    const mix = await composition(12);
    const made = await runOf(mix.id, 'simulated-echo', { hyperparameters: { n_epochs: 2, seed: 3 } });
    expect(made).toMatchObject({
      status: 'CREATED',
      progress: 0,
      training_request_count: 11,
      validation_request_count: 1,
      run_name: expect.stringMatching(/^Mix \d{4}-\d\d-\d\d$/),
      hyperparameters: { n_epochs: 2, batch_size: null, learning_rate_multiplier: null, seed: 3 },
    });
    const run = await until(made.id, 'COMPLETED');
    expect(run).toMatchObject({ progress: 100, failure_class: null, metrics: { train_loss: expect.any(Number) } });
    const model = await world.data(`GET /models/${run.model_id}`);
    expect(model).toMatchObject({
      model_name: run.finetuned_model_name,
      model_type: 'FINETUNED',
      base_model: 'simulated-echo',
      finetune_run_id: run.id,
      intent_group_id: mix.intent_group_id,
    });
    expect((await chat(run.finetuned_model_name, 'hi')).body).toMatchObject({
      choices: [{ message: { content: '[simulated] hi' } }],
    });
    const path = `/finetune-runs/${run.id}`;
    const events = await world.data(`GET ${path}/events?limit=100`);
    expect(events.map(({ message }: { message: string }) => message)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^the run has 11 requests/),
        expect.stringContaining('[simulated]'),
      ]),
    );
    expect(events.map(({ timestamp }: { timestamp: number }) => timestamp)).toEqual(
      expect.arrayContaining([expect.any(Number)]),
    );
    const metrics = await world.call(`GET ${path}/metrics?limit=5`);
    expect(metrics.body.pagination.total).toBe(22);
    expect(metrics.body.data[0]).toMatchObject({ step: 1, train_loss: expect.any(Number) });
    expect(await world.data(`GET ${path}/checkpoints`)).toMatchObject([
      { step: 11 },
      { step: 22, model_name: run.finetuned_model_name },
    ]);
    expect((await world.events('finetune_run', run.id)).map(({ event }) => event)).toEqual(
      expect.arrayContaining(['created', 'started', 'progress', 'completed'].map((name) => `finetune_run.${name}`)),
    );
    expect(await world.data(`GET /intent-groups/${mix.intent_group_id}/finetune-runs`)).toMatchObject([{ id: run.id }]);
    expect(await world.data(`DELETE ${path}`)).toEqual({ id: run.id, deleted: true });
    expect(await world.call(`GET ${path}/events`)).toMatchObject({ status: 404 });
    expect((await chat(run.finetuned_model_name, 'hi')).status).toBe(200);
  });

  it('has metrics and checkpoints of its own, whatever other runs have', async () => {
    const mix = await composition(12);
    for (const n_epochs of [1, 2]) {
      const { id } = await runOf(mix.id, 'simulated-echo', { hyperparameters: { n_epochs } });
      await until(id, 'COMPLETED');
    }
    for (const [at, { id }] of (await world.data('GET /finetune-runs?sort=id')).entries()) {
      const steps = await world.data(`GET /finetune-runs/${id}/metrics?limit=100`);
      expect(steps.map(({ step }: { step: number }) => step)).toEqual(
        Array.from({ length: 11 * (at + 1) }, (_, before) => before + 1),
      );
      expect(await world.data(`GET /finetune-runs/${id}/checkpoints`)).toHaveLength(at + 1);
    }
  });

  it('needs a composition that is ready and a model that can be trained', async () => {
    const mix = await composition(1);
    await world.data('POST /models', {
      model_name: 'plain',
      provider_id: (await world.data('GET /models/providers'))[0].id,
    });
    const { id: draft } = await world.data('POST /compositions', {
      composition_name: 'Empty',
      intent_group_id: mix.intent_group_id,
    });
    for (const [body, status, message] of [
      [{ composition_id: draft, base_model: 'simulated-echo' }, 409, `composition ${draft} is DRAFT, not READY`],
      [{ composition_id: mix.id, base_model: 'plain' }, 400, 'base_model must be a trainable model'],
      [{ composition_id: mix.id, base_model: 'nobody' }, 404, 'model not found'],
      [{ composition_id: 2 ** 30, base_model: 'simulated-echo' }, 404, 'composition not found'],
    ] as const)
      expect(await world.call('POST /finetune-runs', body)).toMatchObject({ status, body: { error: { message } } });
  });
});

it('a finetune run whose file would be too large is refused before all of it is copied', async () => {
  const mix = await composition(1, { validation_split: 0 });
  await platform.sql.query(
    `INSERT INTO training.dataset_requests (company_id, dataset_id, source, messages, response, input_hash, body_bytes)
     SELECT $1, $2, 'MANUAL', json_build_array(json_build_object('role', 'user', 'content',
         (SELECT string_agg(md5(n || '-' || i), '') FROM generate_series(1, 2800) i))),
       '{"role":"assistant","content":"yes"}', md5(n::text), 90000 FROM generate_series(1, 192) n`,
    [world.companyId, mix.dataset_id],
  );
  await world.data(`PUT /compositions/${mix.id}/datasets/${mix.dataset_id}`, { weight: 100 });
  const bytes = async () =>
    Number((await platform.sql.query(`SELECT pg_total_relation_size('training.finetune_rows') AS n`)).rows[0].n);
  const before = await bytes();
  const body = { composition_id: mix.id, base_model: 'simulated-echo' };
  const reply = await world.call('POST /finetune-runs', body);
  expect([reply.status, reply.body.error.message]).toEqual([409, expect.stringContaining('536870912')]);
  expect((await bytes()) - before).toBeLessThan(10_000_000);
});

describe('a finetune run at a provider', () => {
  it('sends the rows as they were, with its parameters, and calls the result by its name', async () => {
    jobs.options = { ...jobs.options, held: true };
    const mix = await composition(20, { validation_split: 0.2, seed: 4 });
    const exported = (await world.call(`GET /compositions/${mix.id}/export`)).text;
    const hyperparameters = { n_epochs: 2, batch_size: 8, learning_rate_multiplier: 0.5, seed: 9 };
    const { id } = await runOf(mix.id, await baseModel(), { hyperparameters });
    const { data } = (await world.call(`POST /datasets/${mix.dataset_id}/added-requests/search`, {})).body;
    const changed = { response: { role: 'assistant', content: 'changed later' } };
    await world.data(`PUT /datasets/${mix.dataset_id}/requests/${data[0].id}`, changed);
    const running = await until(id, 'RUNNING');
    expect(await world.call(`PUT /compositions/${mix.id}`, { seed: 5 })).toMatchObject({ status: 409 });
    expect(await world.call(`DELETE /compositions/${mix.id}`)).toMatchObject({ status: 409 });
    expect(await world.call(`DELETE /finetune-runs/${id}`)).toMatchObject({ status: 409 });
    const base = await world.data('GET /models/base');
    expect(await world.call(`DELETE /models/${base.id}`)).toMatchObject({
      status: 409,
      body: { error: { message: 'model base is trained by a finetune run' } },
    });
    jobs.release();
    const run = await until(id, 'COMPLETED');
    const job = jobs.jobs.get(running.provider_job_id);
    expect(jobs.files.get(job?.training_file ?? '')?.text).toBe(exported);
    expect(jobs.files.size).toBe(2);
    expect(job).toMatchObject({
      model: 'gpt-4o-mini',
      seed: 9,
      suffix: `run-${id}`,
      hyperparameters: { n_epochs: 2, batch_size: 8, learning_rate_multiplier: 0.5 },
    });
    expect((await chat(run.finetuned_model_name, 'hi')).status).toBe(200);
    expect(server.calls.at(-1)?.body).toMatchObject({ model: run.finetuned_model_name });
    expect(await world.data(`GET /finetune-runs/${id}/metrics`)).toMatchObject([
      { step: 1, validation_loss: 2.2 },
      {},
      {},
    ]);
    expect(await world.data(`DELETE /compositions/${mix.id}`)).toMatchObject({ deleted: true });
  });

  it('fails with what the provider says, and without its key', async () => {
    const mix = await composition(3);
    const { id } = await runOf(mix.id, await baseModel());
    const run = await eventually('the failure', async () => {
      const found = await get(id);
      return found.status === 'FAILED' ? found : undefined;
    });
    expect(run).toMatchObject({
      failure_class: 'provider',
      error_message: 'Training file has 3 example(s), but must have at least 10 examples',
      model_id: null,
    });
    const wrong = await World.make(platform);
    world = wrong;
    const { id: refused } = await runOf((await composition(3)).id, await baseModel('sk-wrong-0123456789'));
    const failed = await eventually('the refusal', async () => {
      const found = await get(refused);
      return found.status === 'FAILED' ? found : undefined;
    });
    expect(failed.error_message).toContain('the provider answered 401');
    expect(JSON.stringify(failed)).not.toContain('sk-wrong');
    expect((await world.events('finetune_run', refused)).map(({ event }) => event)).toEqual(
      ['created', 'failed'].map((name) => `finetune_run.${name}`),
    );
  });

  it('fails when its job succeeds and the provider names no model', async () => {
    jobs.options = { ...jobs.options, nameless: true };
    const { id } = await runOf((await composition(12)).id, await baseModel());
    const failed = await until(id, 'FAILED');
    expect(failed).toMatchObject({
      failure_class: 'provider',
      error_message: 'the job succeeded, but the provider names no model',
    });
  });

  it('cancels its job at the provider', async () => {
    jobs.options = { ...jobs.options, held: true };
    const { id } = await runOf((await composition(12)).id, await baseModel());
    const { provider_job_id } = await until(id, 'RUNNING');
    expect(await world.data(`POST /finetune-runs/${id}/cancel`)).toMatchObject({ status: 'CANCELLED' });
    await eventually('the end of the job', () => jobs.jobs.get(provider_job_id)?.status === 'cancelled');
    expect(await world.call(`POST /finetune-runs/${id}/cancel`)).toMatchObject({
      status: 409,
      body: { error: { message: `finetune run ${id} is CANCELLED: it cannot cancel` } },
    });
    expect((await world.events('finetune_run', id)).at(-1)?.event).toBe('finetune_run.cancelled');
  });

  it('cancels a job that the provider creates only after the run was cancelled', async () => {
    let create: () => void = () => undefined;
    const created = new Promise<void>((resolve) => (create = resolve));
    const calls: string[] = [];
    const beforeEffect = ({ method, path }: FinetuningCall) => {
      calls.push(`${method} ${path.split('?')[0]}`);
      return calls.at(-1) === 'POST /v1/fine_tuning/jobs' ? created : undefined;
    };
    jobs.options = { ...jobs.options, held: true, beforeEffect };
    const { id } = await runOf((await composition(12)).id, await baseModel());
    await eventually('the creation', () => calls.includes('POST /v1/fine_tuning/jobs'));
    expect(await world.data(`POST /finetune-runs/${id}/cancel`)).toMatchObject({ status: 'CANCELLED' });
    const lookedFor = () => calls.filter((call) => call === 'GET /v1/fine_tuning/jobs').length;
    const before = lookedFor();
    await eventually('the job is looked for', async () => {
      await cancelNow();
      return lookedFor() > before;
    });
    create();
    await eventually('the job', () => jobs.jobs.size > 0);
    await eventually('the end of the job', async () => {
      await cancelNow();
      return [...jobs.jobs.values()][0]?.status === 'cancelled';
    });
  });

  it('cancels its job however long the provider is down meanwhile', async () => {
    let asked = 0;
    jobs.options = { ...jobs.options, held: true };
    const { id } = await runOf((await composition(12)).id, await baseModel());
    const { provider_job_id } = await until(id, 'RUNNING');
    jobs.options = { ...jobs.options, down: true };
    expect(await world.data(`POST /finetune-runs/${id}/cancel`)).toMatchObject({ status: 'CANCELLED' });
    jobs.options = { ...jobs.options, beforeEffect: () => void (asked += 1) };
    const failedAgain = async () => {
      const before = asked;
      await eventually('the provider is asked', async () => {
        // A failure would be that of the last attempt.
        await cancelNow(4);
        return asked > before;
      });
    };
    await failedAgain();
    await failedAgain();
    jobs.options = { ...jobs.options, down: false };
    await eventually('the end of the job', async () => {
      await cancelNow();
      return jobs.jobs.get(provider_job_id)?.status === 'cancelled';
    });
  });

  it('survives a kill of its service, with one job and one model', async () => {
    const mix = await composition(12);
    const base = await baseModel();
    // Killed while the provider has created the job and its reply is on its way.
    let send: () => void = () => undefined;
    const sent = new Promise<void>((resolve) => (send = resolve));
    const isCreation = ({ method, path }: FinetuningCall) => method === 'POST' && path.endsWith('/jobs');
    jobs.options = { steps: 3, held: true, beforeReply: (call) => (isCreation(call) ? sent : undefined) };
    const { id } = await runOf(mix.id, base);
    await eventually('the job', () => jobs.jobs.size > 0);
    await killed();
    send();
    await until(id, 'RUNNING');
    jobs.release();
    const run = await until(id, 'COMPLETED');
    expect(jobs.jobs.size).toBe(1);
    expect(jobs.files.size).toBe(2);
    expect(await world.data('GET /models?model_type=FINETUNED')).toMatchObject([{ id: run.model_id }]);
    const completed = (await world.events('finetune_run', id)).filter(({ event }) => event.endsWith('completed'));
    expect(completed).toHaveLength(1);
  });
});
