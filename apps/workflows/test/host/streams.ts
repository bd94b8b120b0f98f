import { analytics, parse } from '@signalbox/contracts';
import { eventually } from '@signalbox/testing';
import { ASK, company, recorded, world } from './fixture.js';

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
