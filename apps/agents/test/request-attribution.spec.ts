import { randomUUID } from 'node:crypto';
import {
  actions,
  agentTests,
  agentVersions,
  analytics,
  applications,
  companies,
  hooks,
  parse,
  type RecordedRequest,
  requests,
  routing,
  subAgents,
} from '@signalbox/contracts';
import { eventually } from '@signalbox/testing';
import { type TaskCompany, TaskWorld } from './task-world.js';
import { PAGE } from './world.js';

let outside: TaskWorld;
let company: TaskCompany;
beforeAll(async () => {
  outside = await TaskWorld.start();
}, 60_000);
afterAll(() => outside.stop());
beforeEach(async () => {
  company = await outside.company();
});

/** The recorded requests of the company, oldest first, once there are so many. */
const recorded = (count: number): Promise<RecordedRequest[]> =>
  eventually(`${count} requests are recorded`, async () => {
    const list = { ...PAGE, sort: 'id', include_body: false };
    const { data } = await outside.platform.bus.call(requests.endpoints.listRequests, list, company.world.caller());
    return data.length >= count ? data : undefined;
  });

const llmAction = (agentId: number) =>
  company.world.action(agentId, 'say', { action_type: 'llm', action_config: { prompt: 'say it' } });

/** A rule that asks the judge model of the company. */
async function judgedRule(agentId: number): Promise<void> {
  const { bus } = outside.platform;
  const caller = company.world.caller();
  await bus.call(companies.endpoints.updateCompany, { settings: { judge_model: 'm' } }, caller);
  const condition = { target_type: 'message', operator: 'sem_match', value: 'a complaint', enabled: true } as const;
  await bus.call(
    routing.endpoints.createRoutingRule,
    { agent_id: agentId, label: 'c', conditions: [condition], route: { type: 'llm' }, enabled: true },
    caller,
  );
}

const judgement = JSON.stringify({ answer: 'no', confidence: 1 });

describe('the recorded model call', () => {
  it('of an action test is synthetic and of origin TEST, and belongs to no task', async () => {
    outside.provider.answerWith(() => 'fine');
    const agentId = await company.agent();
    const { id } = await llmAction(agentId);
    const input = { action_id: id, arguments: {}, secrets: {} };
    const outcome = await outside.platform.bus.call(actions.endpoints.testAction, input, company.world.caller());
    expect(outcome).toMatchObject({ status: 'SUCCESS', output: 'fine' });
    const [request] = await recorded(1);
    expect(request).toMatchObject({ request_type: 'SYNTHETIC', origin: 'TEST', origin_id: null });
  });

  it('of a routing test is synthetic and of origin TEST', async () => {
    outside.provider.answerWith(() => judgement);
    const agentId = await company.agent();
    await judgedRule(agentId);
    const input = { agent_id: agentId, messages: [{ role: 'user' as const, content: 'hello' }], state: {} };
    await outside.platform.bus.call(routing.endpoints.testRouting, input, company.world.caller());
    const [request] = await recorded(1);
    expect(request).toMatchObject({ request_type: 'SYNTHETIC', origin: 'TEST', origin_id: null });
  });

  it('of a task names it: the work is production traffic, a judgement is not', async () => {
    const agentId = await company.agent();
    await llmAction(agentId);
    await judgedRule(agentId);
    outside.provider.answerWith(({ messages }) => {
      if (JSON.stringify(messages[0]).includes('You judge a text')) return judgement;
      if (messages[0]?.content === 'say it') return 'said';
      return messages.at(-1)?.role === 'tool' ? 'done' : { toolCalls: [{ name: 'say', arguments: {} }] };
    });
    const { task_id } = await company.invoke(agentId);
    const made = await recorded(4);
    const taskAttribution = { origin: 'AGENT', origin_id: task_id };
    expect(made).toMatchObject([
      { ...taskAttribution, request_type: 'SYNTHETIC' },
      { ...taskAttribution, request_type: 'PROD' },
      { ...taskAttribution, request_type: 'PROD' },
      { ...taskAttribution, request_type: 'PROD' },
    ]);
  });

  it('of a sub-agent is a test when the task above it is one, also after a callback', async () => {
    const { bus } = outside.platform;
    const caller = company.world.caller();
    const child = await company.world.agent({ agent_name: 'Desk', model: 'm', system_prompt: 'CHILD' });
    const parent = await company.world.agent({ agent_name: 'Front', model: 'm', system_prompt: 'PARENT' });
    const link = { agent_id: parent.id, child_agent_id: child.id, action_result_type: 'gather_info' as const };
    await bus.call(subAgents.endpoints.addSubAgent, link, caller);
    const webhook = {
      mode: 'callback',
      endpoint: outside.target.url,
      body: { to: '{{callback_url}}' },
      parameters: {},
    };
    await company.action(child.id, 'order', webhook, { action_type: 'webhook' });
    outside.provider.answerWith(({ messages }) => {
      if (messages.at(-1)?.role === 'tool') return 'done';
      const isChild = String(messages[0]?.content).startsWith('CHILD');
      return {
        toolCalls: [isChild ? { name: 'order', arguments: {} } : { name: 'Desk', arguments: { message: 'x' } }],
      };
    });
    outside.reset();
    const { runTest } = agentTests.endpoints;
    const input = parse(runTest.input, { task_id: randomUUID(), agent_id: parent.id, message: 'hello' });
    const ended = bus.call(runTest, input, caller);
    const called = await eventually('the sub-agent has called', () => outside.target.calls[0]);
    const { to } = JSON.parse(called.body.toString()) as { to: string };
    await eventually('it waits', async () => {
      const waiting = `SELECT 1 FROM agents.tasks WHERE agent_id = $1 AND status = 'WAITING_WEBHOOK'`;
      return (await outside.platform.sql.query(waiting, [child.id])).rowCount === 1;
    });
    const hook = { hook_key: to.split('/').at(-1) ?? '', payload: 'yes' };
    await bus.call(hooks.endpoints.answerHook, hook, outside.platform.caller(1, { companyId: 0, scopes: [] }));
    expect(await ended).toMatchObject({ status: 'COMPLETED' });
    const made = await recorded(4);
    expect(made.map(({ request_type }) => request_type)).toEqual(made.map(() => 'SYNTHETIC'));
  });

  it('of a task takes what it leaves open from the configuration of the application', async () => {
    const { bus } = outside.platform;
    const { applicationId: application_id } = company.world;
    const fallback_config = { model: 'simulated-echo', strategy: 'reactive' as const, timeout_ms: 10_000 };
    const config = {
      temperature: 0.25,
      top_p: 0.5,
      system_prompt: 'You are brief.',
      metadata: { team: 'a' },
      fallback_config,
    };
    await bus.call(
      applications.endpoints.updateApplicationConfig,
      { application_id, ...config },
      company.world.caller(),
    );
    outside.provider.calls.length = 0;
    outside.provider.answerWith(() => 'fine');
    const bare = await company.agent({ agent_name: 'Bare', system_prompt: null });
    await company.invoke(bare);
    const own = await company.agent({ agent_name: 'Own', agent_config: { temperature: 1 } });
    await company.invoke(own);
    expect(outside.provider.calls.map(({ body }) => body)).toMatchObject([
      { temperature: 0.25, top_p: 0.5, messages: [{ role: 'system', content: 'You are brief.' }, { role: 'user' }] },
      { temperature: 1, top_p: 0.5, messages: [{ role: 'system', content: 'You help.' }, { role: 'user' }] },
    ]);
    outside.provider.answerWith(() => ({ error: { status: 400 } }));
    expect((await company.invoke(own)).choices?.[0]?.message.content).toContain('hello');
    const made = await recorded(3);
    expect(made.map(({ fallback_used }) => fallback_used)).toEqual([false, false, true]);
    expect(made[0]).toMatchObject({ application_id, intent_id: null, metadata: { team: 'a', agent_id: bare } });
    const slow = { application_id, timeout_ms: 100, fallback_config: null };
    await bus.call(applications.endpoints.updateApplicationConfig, slow, company.world.caller());
    outside.provider.answerWith(() => ({ hang: true }));
    await expect(company.invoke(own)).rejects.toMatchObject({ status: 504 });
  });

  it('of a task is counted under the release that the task executes', async () => {
    const { bus } = outside.platform;
    outside.provider.answerWith(() => 'fine');
    const agent_id = await company.agent();
    await company.world.publish(agent_id);
    const release = { agent_id, name: 'stable', version: '1.0.0', is_default: false };
    await bus.call(agentVersions.endpoints.createRelease, release, company.world.caller());
    await company.invoke(agent_id, { release: 'stable' });
    await company.invoke(agent_id);
    await recorded(2);
    const query = parse(analytics.endpoints.getUsage.input, { group_by: 'release' });
    const { series } = await bus.call(analytics.endpoints.getUsage, query, company.world.caller());
    expect(series.map(({ key }) => key).sort()).toEqual([`agent:${agent_id}@stable`, 'none']);
  });
});
