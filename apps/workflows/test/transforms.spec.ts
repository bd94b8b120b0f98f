import { completions, sessionTransforms, transformPreviews } from '@signalbox/contracts';
import { eventually } from '@signalbox/testing';
import { type RunCompany, RunWorld } from './run-world.js';

let world: RunWorld;
let company: RunCompany;
beforeAll(async () => {
  world = await RunWorld.start();
}, 120_000);
afterAll(() => world?.stop());
beforeEach(async () => {
  company = await world.company();
});

const TRANSFORM = `function transform_session(session) {
  if (session.metadata.fail) throw new Error('no');
  return { id: session.session_id, application: session.application, said: session.messages.map((m) => m.content),
    models: session.requests.map((request) => request.model) };
}
`;
interface Previewed {
  result: number[];
}
const preview = (input: object) =>
  world.platform.bus.call(transformPreviews.endpoints.previewTransform, input as never, company.world.caller());

describe('the transform of a session', () => {
  it('is stored with a completed run, and its failure leaves the run completed', async () => {
    await company.model();
    world.provider.answerWith(() => 'hello');
    const body = `await ctx.chat.completions.create({ model: 'm', messages: [{ role: 'user', content: 'hi' }] }); return 1;`;
    const change = { transform_session: TRANSFORM, application_id: company.world.applicationId };
    const id = await company.workflow(body, change);
    const run = await company.run(id, { session_id: 'visit' });
    expect(run).toMatchObject({
      status: 'COMPLETED',
      output: 1,
      transformed_session: { id: 'visit', application: 'Shop', said: ['hi', 'hello'], models: ['m'] },
    });
    expect(await company.run(id, { metadata: { fail: true } })).toMatchObject({
      status: 'COMPLETED',
      output: 1,
      transformed_session: null,
      transform_error: expect.stringContaining('no'),
    });
    expect(await company.run(id)).toMatchObject({ transform_error: null });
  });

  it('is previewed on a given session; 409 without a transform, 422 when it throws', async () => {
    const id = await company.workflow('return 1;', { transform_session: TRANSFORM });
    const session = { session_id: 's', application: 'A', messages: [{ content: 'x' }], requests: [], metadata: {} };
    expect(await preview({ workflow_id: id, session })).toEqual({
      result: { id: 's', application: 'A', said: ['x'], models: [] },
    });
    await expect(preview({ workflow_id: id, session: { ...session, metadata: { fail: true } } })).rejects.toMatchObject(
      {
        status: 422,
        message: expect.stringContaining('no'),
      },
    );
    await expect(preview({ workflow_id: id })).rejects.toMatchObject({ status: 400 });
    const without = await company.workflow('return 1;');
    await expect(preview({ workflow_id: without, session })).rejects.toMatchObject({ status: 409 });
  });

  it('is previewed on a session of chat completions', async () => {
    await company.model();
    world.provider.answerWith(() => 'hello');
    const id = await company.workflow('return 1;', { transform_session: TRANSFORM });
    const call = {
      messages: [{ role: 'user' as const, content: 'hi' }],
      model: 'm',
      session_id: 'chat',
      return_evaluation: false,
    };
    await world.platform.bus.call(
      completions.endpoints.createCompletion,
      { ...call, application: 'Shop' },
      company.world.caller(),
    );
    const result = { id: 'chat', application: 'Shop', said: ['hi', 'hello'], models: ['m'] };
    await eventually('the session is recorded', () =>
      preview({ workflow_id: id, session_id: 'chat' }).catch(() => undefined),
    );
    expect(await preview({ workflow_id: id, session_id: 'chat' })).toEqual({ result });
    const { previewSessionTransform } = sessionTransforms.endpoints;
    const input = { session_id: 'chat', workflow_id: id };
    expect(await world.platform.bus.call(previewSessionTransform, input, company.world.caller())).toEqual({ result });
    const unknown = { ...input, session_id: 'none' };
    await expect(
      world.platform.bus.call(previewSessionTransform, unknown, company.world.caller()),
    ).rejects.toMatchObject({ status: 404 });
  });

  it('gets the latest requests that fit, when their bodies are larger together than a page and its argument', async () => {
    await company.model();
    world.provider.answerWith(() => 'hello');
    const lengths =
      'function transform_session({ requests, messages }) { return [requests.length, messages[0].content.length]; }';
    const id = await company.workflow('return 1;', { transform_session: lengths });
    const { createCompletion } = completions.endpoints;
    const [count, characters] = [5, 2_700_000];
    for (let n = 0; n < count; n++) {
      const messages = [{ role: 'user' as const, content: 'x'.repeat(characters + n) }];
      const call = { messages, model: 'm', application: 'Shop', session_id: 'large', return_evaluation: false };
      await world.platform.bus.call(createCompletion, call, company.world.caller());
    }
    const last = characters + count - 1;
    const previewed = async () => ((await preview({ workflow_id: id, session_id: 'large' })) as Previewed).result;
    await eventually('the last request is recorded', async () => (await previewed())[1] === last);
    expect(await previewed()).toEqual([2, last]);
  });
});
