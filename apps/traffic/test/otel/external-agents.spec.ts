import {
  actions,
  type Agent,
  agents,
  agentSessions,
  agentVersions,
  analytics,
  emptyMonitorConfig,
  intents,
  monitorRuns,
  monitors,
  monitorTargets,
  monitorVersions,
  requests,
  type Task,
  tasks,
  testSetImports,
  testSets,
} from '@signalbox/contracts';
import { eventually } from '@signalbox/testing';
import { attributes, type SentSpan, span, spanId, traceId } from './otel-client.js';
import { answer, ASKED, CLOSED_MS, Company, PAGE, platform, recorded, SAID } from './external-agents/fixture.js';
import './external-agents/costs.js';
import './external-agents/late-spans.js';

describe('a trace from outside', () => {
  it('is a running task, then a completed one with timeline, session, version, release, requests and analytics', async () => {
    const company = await Company.make();
    expect((await company.exporter.send(recorded('vercel-ai'))).status).toBe(200);
    await eventually('the task runs', async () => (await company.tasks())[0]?.status === 'RUNNING', CLOSED_MS);
    const [task] = (await company.ended(1)) as [Task];
    expect(task).toMatchObject({
      status: 'COMPLETED',
      trigger: 'EXTERNAL',
      session_id: 's-1',
      version: '1.4.0',
      reported_version: null,
      release: 'production-eu',
      iterations: 2,
      output: { role: 'assistant', content: 'Order 7 is on its way.' },
      usage: { prompt_tokens: 60, completion_tokens: 24 },
    });
    const [agent] = (await company.agents({ kind: ['EXTERNAL'] })).data;
    expect(agent).toMatchObject({
      id: task.agent_id,
      agent_name: 'order-agent',
      application_name: 'shop-vercel',
      kind: 'EXTERNAL',
      latest_version: '1.4.0',
      has_unpublished_changes: false,
    });
    const path = { agent_id: task.agent_id, task_id: task.id };
    const { data: timeline } = await platform.bus.call(
      tasks.endpoints.listTaskTimeline,
      { ...PAGE, ...path } as never,
      company.caller,
    );
    expect(timeline.map(({ type }) => type)).toEqual([
      'task_start',
      'message',
      'model_called',
      'model_answered',
      'action_invoked',
      'action_result',
      'model_called',
      'model_answered',
      'task_end',
      'message',
    ]);
    const session = { agent_id: task.agent_id, session_id: 's-1' };
    expect(await platform.bus.call(agentSessions.endpoints.getAgentSession, session, company.caller)).toMatchObject({
      task_count: 1,
    });
    const recordedRequests = () =>
      platform.bus.call(
        requests.endpoints.searchRequests,
        { ...PAGE, include_body: true, origin: 'EXTERNAL' } as never,
        company.caller,
      );
    await eventually('the requests are recorded', async () => (await recordedRequests()).data.length === 2, CLOSED_MS);
    const { data } = await recordedRequests();
    expect(data).toMatchObject([1, 2].map(() => ({ origin_id: task.id, model: 'gpt-4o-mini', request_type: 'PROD' })));
    const called = timeline.filter(({ type }) => type === 'model_called').map(({ request_id }) => request_id);
    expect(called.sort()).toEqual(data.map(({ request_id }) => request_id).sort());
    const usage = await platform.bus.call(
      analytics.endpoints.getUsage,
      { agent_id: task.agent_id, bucket: 'day', group_by: 'none' } as never,
      company.caller,
    );
    expect(JSON.stringify(usage)).toContain('"total_tokens":84');
  }, 120_000);

  it('belongs to a separate agent when one of this platform has the name, which stays as it is', async () => {
    const company = await Company.make();
    const hosted = await company.agent(await company.application('Elsewhere'), 'helper', 'HOSTED');
    await company.send(answer(traceId()));
    await eventually('the task is there', async () => (await company.tasks()).length === 1, CLOSED_MS);
    const { data } = await company.agents();
    expect(data.map(({ agent_name, kind }) => [agent_name, kind])).toEqual([
      ['helper-external', 'EXTERNAL'],
      ['helper', 'HOSTED'],
    ]);
    const now = await platform.bus.call(agents.endpoints.getAgent, { agent_id: hosted.id }, company.caller);
    expect(now).toEqual(hosted);
  }, 120_000);

  it('is judged once by a monitor, can be imported into a test set, and is reopened by late spans without a second count', async () => {
    const company = await Company.make();
    const applicationId = await company.application('Shop');
    const agent = await company.agent(applicationId, 'helper', 'EXTERNAL');
    const monitor = await platform.bus.call(
      monitors.endpoints.createMonitor,
      {
        name: 'Watch',
        description: '',
        config: {
          ...emptyMonitorConfig(),
          runner: { resource_type: 'direct', input: {} },
          result: {
            default_outcome: 'PASS',
            fault: {
              kind: 'group',
              op: 'AND',
              children: [
                { kind: 'condition', source: 'json', path: 'output.content', operator: 'contains', value: SAID },
              ],
            },
          },
        },
        meta: {},
        alert_rules: [],
      } as never,
      company.caller,
    );
    const monitor_id = monitor.id;
    const target = { monitor_id, target_type: 'agent', target_id: agent.id, sample_rate: 100, enabled: true } as const;
    await platform.bus.call(monitorTargets.endpoints.attachMonitorTarget, target, company.caller);
    const publish = { monitor_id, increment: 'minor', version_notes: '' } as const;
    await platform.bus.call(monitorVersions.endpoints.publishVersion, publish, company.caller);
    await platform.bus.call(monitors.endpoints.activateMonitor, { monitor_id }, company.caller);

    const trace = traceId();
    const [root, call, tool] = answer(trace, { 'gen_ai.agent.version': 'build-77', 'gen_ai.conversation.id': 's 1' });
    await company.send([root, call], { 'service.name': 'elsewhere', 'service.namespace': 'Else' });
    const [task] = (await company.ended(1)) as [Task];
    expect(task).toMatchObject({
      agent_id: agent.id,
      version: null,
      reported_version: 'build-77',
      session_id: 's-1',
      input_messages: [{ role: 'user', content: ASKED }],
      usage: { cost: 0.25 },
    });
    const judged = async () =>
      (await platform.bus.call(monitorRuns.endpoints.listMonitorRuns, { ...PAGE, monitor_id } as never, company.caller))
        .data;
    await eventually('the monitor has judged', async () => (await judged())[0]?.outcome === 'FAULT', CLOSED_MS);
    const set = await platform.bus.call(
      testSets.endpoints.createTestSet,
      { name: 'From outside' } as never,
      company.caller,
    );
    const item = await platform.bus.call(
      testSetImports.endpoints.importAgentTask,
      { test_set_id: set.id, agent_task_id: task.id } as never,
      company.caller,
    );
    expect(JSON.stringify(item)).toContain(ASKED);
    expect(JSON.stringify(item)).toContain(SAID);

    const evaluation = {
      traceId: trace,
      spanId: root.spanId,
      timeUnixNano: `${Date.now()}000000`,
      eventName: 'gen_ai.evaluation.result',
      attributes: attributes({ 'gen_ai.evaluation.name': 'tone', 'gen_ai.evaluation.score.value': 4 }),
    };
    const logs = { resourceLogs: [{ scopeLogs: [{ logRecords: [evaluation] }] }] };
    await company.exporter.json(logs, { path: '/otel/v1/logs' });
    const lateCall = { ...call, spanId: spanId(), parentSpanId: call.spanId };
    await company.send([tool, lateCall, root, call]);
    await eventually('the task runs again', async () => (await company.tasks())[0]?.status === 'RUNNING', CLOSED_MS);
    const [again] = (await company.ended(1)) as [Task];
    expect(again).toMatchObject({ id: task.id, usage: { cost: 0.25 } });
    const timeline = await platform.bus.call(
      tasks.endpoints.listTaskTimeline,
      { ...PAGE, agent_id: agent.id, task_id: task.id } as never,
      company.caller,
    );
    expect(timeline.data.filter(({ type }) => type === 'action_invoked')).toHaveLength(1);
    const session = { agent_id: agent.id, session_id: 's-1' };
    expect(
      await platform.bus.call(agentSessions.endpoints.getAgentSessionFeedback, session, company.caller),
    ).toMatchObject({ feedback_score: 4, feedback_text: 'tone' });
    const search = { ...PAGE, include_body: false, origin: 'EXTERNAL' };
    const { data } = await platform.bus.call(requests.endpoints.searchRequests, search as never, company.caller);
    expect(data).toHaveLength(1);
    expect(await judged()).toHaveLength(1);
  }, 180_000);
});

describe('a trace of many megabytes that tools got', () => {
  const LIST = JSON.stringify(Array.from({ length: 7500 }, (_, at) => `v${at}`));

  it('is stored with all of its steps, also where its tasks are larger together than a message', async () => {
    const company = await Company.make();
    const trace = traceId();
    const agent = (name: string, parentSpanId?: string) =>
      span({
        traceId: trace,
        attributes: { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': name },
        ...(parentSpanId === undefined ? {} : { parentSpanId }),
      });
    const tools = (count: number, { spanId: parentSpanId }: SentSpan) =>
      Array.from({ length: count }, () => {
        const attributes = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.call.arguments': LIST };
        return span({ traceId: trace, parentSpanId, attributes });
      });
    const root = agent('desk');
    const below = agent('courier', root.spanId);
    const spans = [...tools(150, root), below, ...tools(110, below), root];
    for (let at = 0; at < spans.length; at += 40) await company.send(spans.slice(at, at + 40));
    const ended = await company.ended(2);
    const counted = await platform.sql.query<{ id: string; count: number }>(
      `SELECT task_id AS id, count(*)::int AS count FROM agents.task_timeline
       WHERE company_id = $1 AND type IN ('action_invoked', 'action_result') GROUP BY task_id`,
      [company.id],
    );
    const countOf = (parent: boolean) => {
      const task = ended.find(({ parent_task_id }) => (parent_task_id === null) === parent);
      return counted.rows.find(({ id }) => id === task?.id)?.count;
    };
    expect([countOf(true), countOf(false)]).toEqual([300, 220]);
  }, 240_000);
});

describe('an agent that runs elsewhere', () => {
  let company: Company;
  let agent: Agent;
  const refusal = (call: Promise<unknown>) =>
    call.then(
      () => 'not refused',
      (error: { kind: string }) => error.kind,
    );
  beforeAll(async () => {
    company = await Company.make();
    agent = await company.agent(await company.application('Shop'), 'helper', 'EXTERNAL');
  });

  it('has no draft and no actions, and cannot be invoked', async () => {
    const { bus } = platform;
    const agent_id = agent.id;
    const change = (values: object) =>
      refusal(bus.call(agents.endpoints.updateAgent, { agent_id, ...values } as never, company.caller));
    expect(await change({ system_prompt: 'x' })).toBe('conflict');
    expect(await change({ kind: 'HOSTED' })).toBe('invalid');
    expect(await change({ description: 'ours' })).toBe('not refused');
    const action = { agent_id, action_name: 'a', action_type: 'llm', description: 'd', action_config: { prompt: 'p' } };
    expect(await refusal(bus.call(actions.endpoints.createAction, action as never, company.caller))).toBe('conflict');
    expect(
      await refusal(bus.call(tasks.endpoints.invokeAgent, { agent_id, message: 'hi' } as never, company.caller)),
    ).toBe('conflict');
    const pinned = { agent_id, message: 'hi', version: '9.0.0' };
    expect(await refusal(bus.call(tasks.endpoints.invokeAgent, pinned as never, company.caller))).toBe('conflict');
    const served = { application_id: agent.application_id!, action_type: 'ask', agent_id };
    expect(await refusal(bus.call(intents.endpoints.createIntent, served as never, company.caller))).toBe('conflict');
    const hosted = {
      application_id: agent.application_id!,
      agent_name: 'x',
      kind: 'EXTERNAL',
      model: 'simulated-echo',
    };
    expect(await refusal(bus.call(agents.endpoints.createAgent, hosted as never, company.caller))).toBe('conflict');
  });

  it('gets versions by number, which a release names', async () => {
    const { bus } = platform;
    const publish = (version?: string) =>
      bus.call(agentVersions.endpoints.publishVersion, { agent_id: agent.id, version } as never, company.caller);
    expect(await publish('2.0.0')).toMatchObject({ version: '2.0.0', is_latest: true });
    expect(await publish('1.5.0')).toMatchObject({ version: '1.5.0', is_latest: false });
    expect(await refusal(publish('2.0.0'))).toBe('conflict');
    expect(await refusal(publish())).toBe('invalid');
    const release = { agent_id: agent.id, name: 'prod', version: '1.5.0' };
    expect(await bus.call(agentVersions.endpoints.createRelease, release as never, company.caller)).toMatchObject({
      name: 'prod',
      version_number: '1.5.0',
    });
    const check = { agent_id: agent.id, release_name: 'prod', version: '2.0.0' };
    expect(await bus.call(agentVersions.endpoints.checkRelease, check, company.caller)).toMatchObject({ passed: true });
    const hosted = await company.agent(agent.application_id!, 'ours', 'HOSTED');
    const numbered = { agent_id: hosted.id, version: '3.0.0' };
    expect(await refusal(bus.call(agentVersions.endpoints.publishVersion, numbered as never, company.caller))).toBe(
      'invalid',
    );
  });
});
