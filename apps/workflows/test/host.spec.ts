import { intents, parse } from '@signalbox/contracts';
import { eventually } from '@signalbox/testing';
import { ASK, company, recorded, world } from './host/fixture.js';
import './host/http.js';
import './host/nested-workflows.js';
import './host/streams.js';

describe('ctx.chat.completions', () => {
  it('calls a model as a request of the run, and counts its usage', async () => {
    await company.model();
    const run = await company.runBody(`${ASK} return completion;`, { session_id: 'visit' });
    expect(run.output).toMatchObject({
      object: 'chat.completion',
      model: 'm',
      choices: [{ index: 0, message: { role: 'assistant', content: 'hello from the model' }, finish_reason: 'stop' }],
      session_id: 'visit',
    });
    const { request_id, usage } = run.output as { request_id: string; usage: object };
    expect(run.usage).toEqual(usage);
    expect(run.cost).toBeGreaterThan(0);
    expect(await recorded(run.id)).toMatchObject([
      { request_id, origin: 'WORKFLOW', origin_id: run.id, session_id: 'visit', request_type: 'PROD' },
    ]);
    expect(await company.timeline(run.id)).toMatchObject([
      { type: 'run_start', run_id: run.id },
      { type: 'model_called', step: 1, model: 'm', request_id },
      { type: 'model_answered', step: 1, usage, finish_reason: 'stop', duration_ms: expect.any(Number) },
      { type: 'run_end', status: 'COMPLETED' },
    ]);
  });

  it('sends further parameters to the provider', async () => {
    await company.model();
    let body: Record<string, unknown> = {};
    world.provider.answerWith((request) => {
      body = request as never;
      return 'ok';
    });
    const request = `{ model: 'm', messages: [{ role: 'user', content: 'x' }], temperature: 0.5, top_p: 0.25, seed: 7 }`;
    const run = await company.runBody(
      `return (await ctx.chat.completions.create(${request})).choices[0].message.content;`,
    );
    expect(run.output).toBe('ok');
    expect(body).toMatchObject({ temperature: 0.5, top_p: 0.25, seed: 7 });
  });

  it('has the scope, the configuration and the marks that it names, and the run of its script', async () => {
    await company.model();
    const bodies: Record<string, unknown>[] = [];
    world.provider.answerWith((request) => {
      bodies.push(request as never);
      return 'ok';
    });
    const intent = parse(intents.endpoints.createIntent.input, {
      application_id: company.world.applicationId,
      action_type: 'ask',
      config: { temperature: 0.25, system_prompt: 'be brief' },
    });
    const { id: intent_id } = await world.platform.bus.call(
      intents.endpoints.createIntent,
      intent,
      company.world.caller(),
    );
    const handled = `application: 'Shop', intent: 'ask', reference_id: 'order-7', metadata: { a: 1 }, safe_mode: false,
      evaluation_enabled: false, return_evaluation: false, input: 1, secrets: { KEY: 'a-value-of-a-secret' },
      fallback_config: { model: 'm', strategy: 'reactive' }, n: 2, max_completion_tokens: 9`;
    const run = await company.runBody(
      `return ctx.chat.completions.create({ model: 'm', messages: [{ role: 'user', content: 'hi' }], ${handled} });`,
    );
    expect(run.output).toMatchObject({ object: 'chat.completion', fallback_used: false, session_id: run.session_id });
    expect(bodies).toEqual([
      {
        model: 'm',
        messages: [
          { role: 'system', content: 'be brief' },
          { role: 'user', content: 'hi' },
        ],
        temperature: 0.25,
        n: 2,
        max_completion_tokens: 9,
        stream: false,
      },
    ]);
    expect(await recorded(run.id)).toMatchObject([
      { intent_id, reference_id: 'order-7', metadata: { a: 1, run_id: run.id }, origin: 'WORKFLOW', origin_id: run.id },
    ]);
  });

  it('takes a fallback, an agent and a workflow like a client of chat completions', async () => {
    await company.model();
    world.provider.answerWith(({ messages }) =>
      messages[0]?.content === 'fail' ? ({ status: 400, error: 'no' } as never) : 'from the model',
    );
    const id = await company.agent('Clerk');
    await company.workflow(
      `return { said: ctx.messages[0].content, input: ctx.input, secret: ctx.secrets.get('KEY') !== null };`,
      { workflow_ref_name: 'triage' },
    );
    const run = await company.runBody(
      `const ask = (model, content, more) =>
        ctx.chat.completions.create({ model, messages: [{ role: 'user', content }], ...more });
      const text = async (...asked) => (await ask(...asked)).choices[0].message.content;
      const fallback_config = { model: 'workflow:triage', strategy: 'reactive' };
      return {
        agents: [await text('agent:Clerk', 'hi'), await text('agent:${id}', 'hi')],
        workflow: (await ask('workflow:triage', 'hi', { input: 7, secrets: { KEY: ctx.secrets.get('OWN') } })).output,
        fallback: (await ask('m', 'fail', { fallback_config })).fallback_used,
        unknown: await text('workflow:none', 'hi').catch(({ name, status }) => ({ name, status })),
        misspelt: await text('m', 'hi', { temprature: 1 }).catch(({ name, message }) => ({ name, message })),
      };`,
      { secrets: { OWN: 'value-0123456' } },
    );
    expect(run.output).toEqual({
      agents: ['from the model', 'from the model'],
      workflow: { said: 'hi', input: 7, secret: true },
      fallback: true,
      unknown: { name: 'NotFoundError', status: 404 },
      misspelt: { name: 'TypeError', message: 'temprature is not a known field' },
    });
    const calls = await recorded(run.id);
    expect(calls.filter(({ task_id }) => task_id !== null)).toHaveLength(2);
    expect(calls.filter(({ run_id }) => run_id !== null)).toHaveLength(2);
  });

  it('counts what a workflow has cost that failed, when a fallback answers in its place', async () => {
    await company.model();
    world.provider.answerWith(({ messages }) =>
      messages[0]?.content === 'fail' ? ({ status: 400, error: 'no' } as never) : 'from the model',
    );
    const ask = (content: string, more = '') =>
      `await ctx.chat.completions.create({ model: 'm', messages: [{ role: 'user', content: '${content}' }]${more} })`;
    await company.workflow(`${ask('paid')}; ${ask('fail')};`, { workflow_ref_name: 'broken' });
    const first = `, model: 'workflow:broken', fallback_config: { model: 'm', strategy: 'reactive' }`;
    const { output, usage } = await company.runBody(`return ${ask('hi', first)};`);
    const answer = output as { fallback_used: boolean; usage: { total_tokens: number; cost: number } };
    expect(answer.fallback_used).toBe(true);
    expect(usage.total_tokens).toBeGreaterThan(answer.usage.total_tokens);
    const runs = await world.platform.sql.query<{ cost: number }>(
      `SELECT cost FROM workflows.runs WHERE company_id = $1 AND status = 'FAILED'`,
      [company.world.companyId],
    );
    expect(usage.cost).toBeCloseTo(answer.usage.cost + (runs.rows[0]?.cost ?? NaN), 9);
  });

  it('that fails is an exception of its name, and ends the run when it is not caught', async () => {
    const caught = `try { ${ASK} } catch ({ name, message, status }) { return { name, message, status }; }`;
    expect((await company.runBody(caught)).output).toMatchObject({ name: 'NotFoundError', status: 404 });
    await company.model();
    world.provider.answerWith(() => ({ status: 400, error: 'no' }) as never);
    expect((await company.runBody(caught)).output).toMatchObject({ name: 'ProviderError' });
    const run = await company.runBody(ASK);
    expect(run).toMatchObject({ status: 'FAILED', failure_class: 'provider', error_code: 'provider_error' });
    const [request] = await recorded(run.id);
    expect((await company.timeline(run.id))[1]).toMatchObject({
      type: 'model_called',
      request_id: request?.request_id,
    });
  });

  it('of two at once run at once', async () => {
    await company.model();
    let open = 0;
    let most = 0;
    world.provider.answerWith(async () => {
      most = Math.max(most, ++open);
      await eventually('both calls are open', () => most === 2, 10_000);
      open -= 1;
      return 'ok';
    });
    const call = `ctx.chat.completions.create({ model: 'm', messages: [{ role: 'user', content: 'x' }] })`;
    const run = await company.runBody(`return (await Promise.all([${call}, ${call}])).length;`);
    expect(run).toMatchObject({ status: 'COMPLETED', output: 2 });
    expect(most).toBe(2);
  });
});

describe('ctx.agents.invoke', () => {
  it('runs an agent by id or name as a task with the trigger WORKFLOW, and counts its usage', async () => {
    await company.model();
    const id = await company.agent('Helper');
    const body = `const byName = await ctx.agents.invoke('Helper', { message: 'one' });
      const byId = await ctx.agents.invoke(${id}, { message: 'two' });
      return [byName, byId];`;
    const run = await company.runBody(body);
    const output = run.output as { task_id: string; choices: unknown; usage: { total_tokens: number } }[];
    expect(output).toMatchObject([
      { choices: [{ message: { role: 'assistant', content: 'hello from the model' } }] },
      { choices: [{ message: { role: 'assistant', content: 'hello from the model' } }] },
    ]);
    expect(run.usage.total_tokens).toBe(output.reduce((sum, { usage }) => sum + usage.total_tokens, 0));
    const { rows } = await world.platform.sql.query(
      'SELECT id, trigger, metadata FROM agents.tasks WHERE agent_id = $1 ORDER BY no',
      [id],
    );
    expect(rows).toMatchObject(
      output.map(({ task_id }) => ({ id: task_id, trigger: 'WORKFLOW', metadata: { run_id: run.id } })),
    );
    expect((await company.timeline(run.id)).filter(({ type }) => type === 'call')).toMatchObject([
      { member: 'agents.invoke', status: 'SUCCESS', about: { agent_id: id, child_task_id: output[0]?.task_id } },
      { member: 'agents.invoke', status: 'SUCCESS', about: { agent_id: id, child_task_id: output[1]?.task_id } },
    ]);
  });

  it('of an unknown agent is an exception', async () => {
    const run = await company.runBody(
      `try { await ctx.agents.invoke('Nobody', { message: 'x' }); } catch (e) { return e.name; }`,
    );
    expect(run.output).toBe('NotFoundError');
  });
});

describe('arguments that cannot be read', () => {
  it('are exceptions of their calls, and the run begins once', async () => {
    const url = `${world.target.url}/`;
    const run = await company.runBody(`const nameOf = (work) => work().then(() => 'none', ({ name }) => name);
      const odd = { toString: 1, valueOf: 1 };
      return Promise.all([
        nameOf(() => ctx.step('a\\0b', () => 1)),
        nameOf(() => ctx.http.fetch('${url}', { method: odd })),
        nameOf(() => ctx.http.fetch('${url}', { headers: { 'X-A': odd } })),
        nameOf(() => ctx.agents.invoke(1, { message: 'x', secrets: [odd] })),
      ]);`);
    expect(run).toMatchObject({ output: new Array(4).fill('TypeError'), attempts: 1 });
  });
});

describe('ctx.secrets', () => {
  it('gives values that never appear in logs, outputs, events, errors or rows', async () => {
    const secret = 'canary-0123456789-workflow';
    const body = `const value = ctx.secrets.get('KEY');
      ctx.log('info', 'it is ' + value); ctx.emit({ value }); await ctx.step('keeps', () => ({ value }));
      const known = ctx.secrets.get('NONE');
      await ctx.http.fetch('${world.target.url}/use', { headers: { Authorization: value } });
      if (ctx.input) throw new Error('it was ' + value);
      return { value, known, length: value.length };`;
    const id = await company.workflow(body, { execution_mode: 'stream' });
    const run = await company.run(id, { secrets: { KEY: secret } });
    expect(run.output).toEqual({ value: '[secret]', known: null, length: secret.length });
    expect(run.logs.map(({ message }) => message)).toEqual(['it is [secret]']);
    expect(world.target.calls.at(-1)?.headers.authorization).toBe(secret);
    const failed = await company.run(id, { input: 1, secrets: { KEY: secret } });
    expect(failed.error_message).toContain('it was [secret]');
    for (const table of ['runs', 'run_events', 'run_timeline', 'run_results', 'outbox', 'work']) {
      const { rows } = await world.platform.sql.query(`SELECT 1 FROM workflows.${table} t WHERE t::text LIKE $1`, [
        `%${secret}%`,
      ]);
      expect([table, rows]).toEqual([table, []]);
    }
    expect(await world.platform.logOf('workflows')).not.toContain(secret);
    expect(await world.platform.logOf('runner')).not.toContain(secret);
  });
});

describe('ctx.step', () => {
  it('keeps results under names that are used once', async () => {
    const run = await company.runBody(`const a = await ctx.step('a', () => 1);
      try { await ctx.step('a', () => 2); } catch (e) { return [a, e.message]; }`);
    expect(run.output).toEqual([1, expect.stringContaining('a')]);
    expect((await company.timeline(run.id)).filter(({ type }) => type === 'step')).toMatchObject([
      { name: 'a', status: 'SUCCESS', duration_ms: expect.any(Number) },
    ]);
  });
});
