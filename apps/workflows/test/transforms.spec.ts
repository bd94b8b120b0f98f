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
    });
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
});
