import { agents, analytics, intents, parse, requests, workflowRuns } from '@signalbox/contracts';
import { eventually } from '@signalbox/testing';
import { type RunCompany, RunWorld } from './run-world.js';
import { PAGE } from './world.js';

let world: RunWorld;
let company: RunCompany;
beforeAll(async () => {
  world = await RunWorld.start();
}, 120_000);
afterAll(() => world?.stop());
beforeEach(async () => {
  company = await world.company();
  world.target.answerWith(() => ({}));
  world.provider.answerWith(() => 'hello from the model');
});

const ASK = `const completion = await ctx.chat.completions.create({ model: 'm', messages: [{ role: 'user', content: 'hi' }] });`;

/** The requests that a run has made, as traffic recorded them. */
const recorded = (origin_id: string) =>
  eventually('the requests are recorded', async () => {
    const input = { ...PAGE, origin_id, include_body: true };
    const page = await world.platform.bus.call(requests.endpoints.listRequests, input as never, company.world.caller());
    return page.data.length > 0 ? page.data : undefined;
  });

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
    const { id } = await world.platform.bus.call(
      agents.endpoints.createAgent,
      {
        application_id: company.world.applicationId,
        agent_name: 'Clerk',
        model: 'm',
        status: 'ENABLED',
        execution_mode: 'reasoning',
        agent_config: {},
        max_iterations: 4,
        meta: {},
      },
      company.world.caller(),
    );
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

describe('ctx.chat.completions.stream', () => {
  const OPEN = `ctx.chat.completions.stream({ model: 'm', messages: [{ role: 'user', content: 'hi' }] })`;
  const answered = async (runId: string) =>
    (await company.timeline(runId)).filter(({ type }) => type.startsWith('model_'));

  it('gives the answer chunk by chunk, as one call of the timeline with its usage', async () => {
    await company.model();
    world.provider.answerWith(() => ({ text: 'one two three four five six', chunkDelayMs: 5 }));
    const run = await company.runBody(`const seen = [];
      for await (const chunk of ${OPEN}) seen.push(chunk);
      const text = seen.map((chunk) => chunk.choices[0].delta.content ?? '').join('');
      return { text, ids: [...new Set(seen.map(({ id }) => id))].length, first: seen[0], last: seen.at(-1), count: seen.length };`);
    expect(run.output).toMatchObject({
      text: 'one two three four five six',
      ids: 1,
      first: {
        object: 'chat.completion.chunk',
        choices: [{ index: 0, delta: { role: 'assistant' }, finish_reason: null }],
      },
      last: { model: 'm', choices: [{ delta: {}, finish_reason: 'stop' }], usage: run.usage },
    });
    const { last, count } = run.output as { last: { request_id: string }; count: number };
    expect(count).toBeGreaterThan(2);
    const { request_id } = last;
    expect(await answered(run.id)).toMatchObject([
      { type: 'model_called', step: 1, model: 'm', request_id },
      { type: 'model_answered', step: 1, usage: run.usage, finish_reason: 'stop', duration_ms: expect.any(Number) },
    ]);
    expect(await recorded(run.id)).toMatchObject([{ request_id, origin: 'WORKFLOW', request_type: 'PROD' }]);
  });

  it('counts under its workflow, and under the release that the run executes', async () => {
    await company.model();
    const id = await company.workflow(`${ASK} return null;`);
    await company.world.publish(id);
    await company.world.release(id, 'stable', '1.0.0');
    await recorded((await company.run(id, { release: 'stable' })).id);
    await recorded((await company.run(id)).id);
    const keysBy = async (group_by: 'release' | 'workflow') => {
      const query = parse(analytics.endpoints.getUsage.input, { group_by });
      const { series } = await world.platform.bus.call(analytics.endpoints.getUsage, query, company.world.caller());
      return series.map(({ key }) => key).sort();
    };
    expect(await keysBy('release')).toEqual(['none', `workflow:${id}@stable`]);
    expect(await keysBy('workflow')).toEqual([String(id)]);
  });

  it('gives the answer in Python too', async () => {
    await company.model();
    // The answer that the script leaves is still under way when its cancellation arrives.
    world.provider.answerWith(() => ({ text: 'one two three', chunkDelayMs: 200 }));
    const request = `{"model": "m", "messages": [{"role": "user", "content": "hi"}]}`;
    const script = `def execute(ctx):
    whole = "".join(each["choices"][0]["delta"].get("content", "") for each in ctx.chat.completions.stream(${request}))
    for chunk in ctx.chat.completions.stream(${request}):
        break
    return [whole, chunk["choices"][0]["delta"]["role"], ctx.chat.completions.create(${request})["choices"][0]["message"]["content"]]
`;
    const { id } = await company.world.workflow({ script, language: 'python' });
    const run = await company.run(id);
    expect(run.error_message).toBeNull();
    expect(run.output).toEqual(['one two three', 'assistant', 'one two three']);
    const ends = (await answered(run.id)).filter(({ type }) => type === 'model_answered');
    expect(ends.map(({ finish_reason }) => finish_reason)).toEqual(['stop', null, 'stop']);
  }, 60_000);

  it('cancels the call when the script stops reading, or ends', async () => {
    await company.model();
    world.provider.answerWith(() => ({ text: 'x'.repeat(4000), chunkDelayMs: 20 }));
    for (const body of [
      `for await (const chunk of ${OPEN}) return 'left';`,
      `const stream = ${OPEN}; await stream.next(); return 'left';`,
    ]) {
      const run = await company.runBody(body);
      expect(run).toMatchObject({ status: 'COMPLETED', output: 'left' });
      const call = world.provider.calls.at(-1)!;
      await eventually('the call of the provider is cancelled', () => call.aborted);
      expect(call.chunks).toBeLessThan(300);
      const [, end, ...more] = await answered(run.id);
      expect(end).toMatchObject({ type: 'model_answered', step: 1, usage: null, finish_reason: null });
      expect(more).toEqual([]);
    }
  });

  it('that fails is an exception of its reads, and of the run when it is not caught', async () => {
    await company.model();
    world.provider.answerWith(() => ({ text: 'x'.repeat(100), cutAfterChunks: 4 }));
    const caught = `const stream = ${OPEN}; const seen = [];
      try { for await (const chunk of stream) seen.push(chunk); } catch ({ name }) { return [name, await stream.next()]; }`;
    expect((await company.runBody(caught)).output).toEqual(['ProviderError', { done: true }]);
    const unread = `return ${OPEN}.next().catch(({ name }) => name);`;
    world.provider.answerWith(() => ({ status: 400, error: 'no' }) as never);
    expect((await company.runBody(unread)).output).toBe('ProviderError');
    expect(await company.runBody(`for await (const chunk of ${OPEN});`)).toMatchObject({
      status: 'FAILED',
      failure_class: 'provider',
    });
    const none = `return ctx.chat.completions.stream({ model: 'none', messages: [] }).next().catch(({ name }) => name);`;
    expect((await company.runBody(none)).output).toBe('TypeError');
  });

  it('is open at most 16 times at once', async () => {
    await company.model();
    world.provider.answerWith(() => ({ text: 'z'.repeat(1000), chunkDelayMs: 50 }));
    const many = `const all = []; for (let n = 0; n < 20; n++) all.push(${OPEN}.next());
      return (await Promise.allSettled(all)).filter(({ status }) => status === 'rejected').map(({ reason }) => reason.name);`;
    expect((await company.runBody(many)).output).toEqual(new Array(4).fill('RangeError'));
  });
});

describe('ctx.agents.invoke', () => {
  const agent = (agent_name: string) =>
    world.platform.bus.call(
      agents.endpoints.createAgent,
      {
        application_id: company.world.applicationId,
        agent_name,
        model: 'm',
        status: 'ENABLED',
        execution_mode: 'reasoning',
        agent_config: {},
        max_iterations: 3,
        meta: {},
      },
      company.world.caller(),
    );

  it('runs an agent by id or name as a task with the trigger WORKFLOW, and counts its usage', async () => {
    await company.model();
    const { id } = await agent('Helper');
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

describe('ctx.workflows.execute', () => {
  it('runs an allowed child as a nested run with its own row, and returns its output', async () => {
    await company.model();
    const child = await company.workflow(`${ASK} return [ctx.input.n + 1, ctx.run.trigger];`, {
      workflow_ref_name: 'child',
    });
    const nesting = { allow_inproc_nesting: true, inproc_nested_refs: ['child'] };
    const body = `return Promise.all([1, 2].map((n) => ctx.workflows.execute('child', { n })));`;
    const run = await company.runBody(body, { session_id: 's', metadata: { team: 'a' } }, nesting);
    expect(run.output).toEqual([
      [2, 'NESTED'],
      [3, 'NESTED'],
    ]);
    const input = { ...PAGE, workflow_id: child };
    const { data } = await world.platform.bus.call(workflowRuns.endpoints.listAllRuns, input, company.world.caller());
    expect(data).toHaveLength(2);
    for (const nested of data)
      expect(nested).toMatchObject({
        parent_run_id: run.id,
        trigger: 'NESTED',
        status: 'COMPLETED',
        session_id: 's',
        metadata: { team: 'a' },
      });
    expect(run.usage.total_tokens).toBe(data.reduce((sum, { usage }) => sum + usage.total_tokens, 0));
    expect(run.usage.total_tokens).toBeGreaterThan(0);
    const events = (await company.stream(run.id)).events.filter(({ type }) => type === 'run.child');
    expect(events.map(({ data: { status, ref } }) => [ref, status]).sort()).toEqual([
      ['child', 'COMPLETED'],
      ['child', 'COMPLETED'],
      ['child', 'QUEUED'],
      ['child', 'QUEUED'],
    ]);
    const merged = await company.timeline(run.id, true);
    expect(new Set(merged.map(({ run_id }) => run_id)).size).toBe(3);
    expect(merged.filter(({ parent_run_id }) => parent_run_id === run.id).length).toBeGreaterThan(0);
  });

  it('needs the permission and an entry of the list', async () => {
    await company.workflow('return 1;', { workflow_ref_name: 'child' });
    const body = `try { return await ctx.workflows.execute('child', null); } catch ({ name, message }) { return { name, message }; }`;
    const nesting = { inproc_nested_refs: ['child'] };
    expect((await company.runBody(body, {}, nesting)).output).toMatchObject({ name: 'NotAllowedError' });
    expect((await company.runBody(body, {}, { allow_inproc_nesting: true })).output).toMatchObject({
      name: 'NotAllowedError',
    });
    expect((await company.runBody(body, {}, { ...nesting, allow_inproc_nesting: true })).output).toBe(1);
  });

  it('finds a process however many parents wait for theirs, and other companies do not wait for them', async () => {
    await company.workflow('return ctx.input;', { workflow_ref_name: 'leaf' });
    const nesting = { allow_inproc_nesting: true, inproc_nested_refs: ['leaf'] };
    const gate = `await ctx.http.fetch('${world.target.url}/together');`;
    const id = await company.workflow(`${gate} return ctx.workflows.execute('leaf', ctx.input);`, nesting);
    const neighbour = await world.company();
    const other = await neighbour.workflow('return "at once";');
    const parents = 32;
    // Eight is what the runner executes at once for one company: from there on no parent starts before another ends.
    const atOnce = 8;
    let arrived = 0;
    let others: unknown;
    world.target.answerWith(async () => {
      if (++arrived === atOnce) others = (await neighbour.run(other)).output;
      await eventually('the run of the other company has ended', () => others, 60_000);
      return { body: '{}' };
    });
    const runs = await Promise.all(Array.from({ length: parents }, (_, input) => company.run(id, { input })));
    expect(runs.map(({ output }) => output)).toEqual(Array.from({ length: parents }, (_, at) => at));
    expect(others).toBe('at once');
    // A nested run that waited for the slot of a parent would be refused after a minute.
    expect(runs.map(({ status }) => status)).toEqual(runs.map(() => 'COMPLETED'));
  }, 120_000);

  it('is at most ten deep', async () => {
    const body = `return ctx.input >= 11 ? 'deep' : ctx.workflows.execute('self', (ctx.input ?? 0) + 1);`;
    const id = await company.workflow(body, { workflow_ref_name: 'self' });
    await company.world.change(id, { allow_inproc_nesting: true, inproc_nested_refs: ['self'] });
    const run = await company.run(id, { input: 0 });
    expect(run).toMatchObject({ status: 'FAILED', failure_class: 'quality', error_code: 'depth_exceeded' });
    expect(run.error_message).toContain('nested at most 10 deep');
    expect((await company.run(id, { input: 1 })).output).toBe('deep');
  }, 60_000);

  it('that fails is an exception with the state of the nested run', async () => {
    await company.workflow('throw new Error("inner");', { workflow_ref_name: 'child' });
    const nesting = { allow_inproc_nesting: true, inproc_nested_refs: ['child'] };
    const caught = `try { await ctx.workflows.execute('child', 1); } catch ({ name, message }) { return { name, message }; }`;
    expect((await company.runBody(caught, {}, nesting)).output).toEqual({
      name: 'ChildFailedError',
      message: expect.stringMatching(/^run .* of child is FAILED: .*inner/),
    });
    expect(await company.runBody(`await ctx.workflows.execute('child', 1);`, {}, nesting)).toMatchObject({
      status: 'FAILED',
      failure_class: 'sandbox',
      error_code: 'script_error',
    });
    await company.workflow('return "text";', { workflow_ref_name: 'misfit', output_schema: { type: 'number' } });
    const other = { allow_inproc_nesting: true, inproc_nested_refs: ['misfit'] };
    expect(await company.runBody(`await ctx.workflows.execute('misfit', 1);`, {}, other)).toMatchObject({
      status: 'FAILED',
      failure_class: 'quality',
      error_code: 'output_schema',
    });
  });

  it('is cancelled with its parent, and when its parent ends before it', async () => {
    await company.workflow('ctx.log("info", "began"); for (;;) {}', {
      workflow_ref_name: 'child',
      timeout_seconds: 60,
    });
    const nesting = { allow_inproc_nesting: true, inproc_nested_refs: ['child'] };
    const childOf = async (parent: string) => {
      const { rows } = await world.platform.sql.query<{ id: string; status: string }>(
        'SELECT id, status FROM workflows.runs WHERE parent_run_id = $1',
        [parent],
      );
      return rows[0];
    };
    const id = await company.workflow(`return ctx.workflows.execute('child', 1);`, nesting);
    const { run_id = '' } = await company.execute(id, { mode: 'async' });
    await eventually('the child runs', async () => (await childOf(run_id))?.status === 'RUNNING');
    await world.platform.bus.call(workflowRuns.endpoints.cancelRun, { run_id }, company.world.caller());
    expect((await childOf(run_id))?.status).toBe('CANCELLED');

    const leaving = await company.runBody(
      `ctx.workflows.execute('child', 1).catch(() => {}); await ctx.http.fetch('${world.target.url}/x'); return 'left';`,
      {},
      nesting,
    );
    expect(leaving).toMatchObject({ status: 'COMPLETED', output: 'left' });
    expect((await childOf(leaving.id))?.status).toBe('CANCELLED');
  }, 60_000);
});

describe('ctx.http.fetch', () => {
  it('calls an address that may be called and returns status, headers, text and JSON', async () => {
    world.target.answerWith(() => ({
      status: 201,
      headers: { 'X-A': 'b', 'Content-Type': 'application/json' },
      body: '{"a":1}',
    }));
    const url = `${world.target.url}/things?q=1`;
    const before = world.target.calls.length;
    const run = await company.runBody(
      `return ctx.http.fetch('${url}', { method: 'post', headers: { 'X-Y': 'z' }, body: { n: 1 } });`,
    );
    expect(run.output).toMatchObject({ status: 201, text: '{"a":1}', json: { a: 1 } });
    expect((run.output as { headers: Record<string, string> }).headers).toMatchObject({ 'x-a': 'b' });
    expect(world.target.calls.slice(before)).toMatchObject([
      { method: 'POST', path: '/things?q=1', headers: { 'x-y': 'z', 'content-type': 'application/json' } },
    ]);
    expect(String(world.target.calls.at(-1)?.body)).toBe('{"n":1}');
    expect((await company.timeline(run.id)).filter(({ type }) => type === 'call')).toMatchObject([
      {
        member: 'http.fetch',
        status: 'SUCCESS',
        about: { method: 'POST', status: 201 },
        duration_ms: expect.any(Number),
      },
    ]);
  });

  it('of a private address, after its time limit and of a closed port is an exception of its name', async () => {
    const names = `const name = (url, options) => ctx.http.fetch(url, options).then(() => 'none', (e) => e.name);`;
    world.target.answerWith(() => ({ hang: true }));
    const run = await company.runBody(`${names} return Promise.all([
      name('http://10.0.0.1/'), name('file:///etc/passwd'), name('${world.target.url}/slow', { timeout_ms: 200 }),
      name('${world.target.url}/', { method: 'TRACE' }), name(7)]);`);
    expect(run.output).toEqual(['EgressDenied', 'EgressDenied', 'TimeoutError', 'TypeError', 'TypeError']);
    const denied = await company.runBody(`await ctx.http.fetch('http://169.254.169.254/');`);
    expect(denied).toMatchObject({ status: 'FAILED', failure_class: 'sandbox', error_code: 'egress_denied' });
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
