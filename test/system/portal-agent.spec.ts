/// <reference lib="dom" />
import type { Signalbox } from '@signalbox/sdk';
import { eventually, type Platform, startHttpTarget } from '@signalbox/testing';
import type { PortalPage } from '@signalbox/testing/browser';
import { describePages, PortalSite } from './portal/site.js';

const FIND_ORDER = {
  action_name: 'find_order',
  action_type: 'api' as const,
  description: 'Find an order',
  action_config: {
    ...{ method: 'GET' as const, base_url: 'https://orders.example', endpoint: '/orders' },
    mock_response: { status: 'shipped' },
  },
};

/** A name that is markup, and would end the words of a shell. */
const HOSTILE = `<img src=x onerror="alert(1)"> it's $(elsewhere)`;

/** A trace of an agent that answers a question, as its exporter sends it. */
function traceOf(agentName: string, version: string, traceId = 'c1'.repeat(16)) {
  const text = (key: string, stringValue: string) => ({ key, value: { stringValue } });
  const message = (role: string, content: string) => JSON.stringify([{ role, parts: [{ type: 'text', content }] }]);
  const now = `${Date.now()}000000`;
  const span = {
    ...{ traceId, spanId: 'c2'.repeat(8), name: 'answer', kind: 1 },
    ...{ startTimeUnixNano: now, endTimeUnixNano: now },
    attributes: [
      text('gen_ai.operation.name', 'invoke_agent'),
      text('gen_ai.agent.name', agentName),
      text('gen_ai.agent.version', version),
      text('gen_ai.conversation.id', 'talk-1'),
      text('gen_ai.input.messages', message('user', 'Where is order 7?')),
      text('gen_ai.output.messages', message('assistant', 'It is on its way.')),
    ],
  };
  const resource = { attributes: [text('service.name', 'desk'), text('service.namespace', 'Shop')] };
  return { resourceSpans: [{ resource, scopeSpans: [{ spans: [span] }] }] };
}

describePages('the page of an agent', () => {
  let site: PortalSite;
  let platform: Platform;
  let api: Signalbox;
  let agent_id: number;
  let exporter: string | null | undefined;
  beforeAll(async () => {
    site = await PortalSite.start('Builders', 'test-runs');
    ({ platform, api } = site);
    const { id: application_id } = await api.applications.create({ application_name: 'Shop' });
    const create = (agent_name: string) =>
      api.agents.create({ application_id, agent_name, system_prompt: 'You help.' });
    agent_id = (await create('Front desk')).id;
    const child = await create('Refunds');
    await api.agents.publishVersion({ agent_id: child.id });
    await api.agents.createAction({ agent_id, ...FIND_ORDER });
  }, 180_000);
  afterEach(() => site?.closePages());
  afterAll(() => site?.stop(), 40_000);

  /** Sends a trace as an exporter does. */
  async function send(trace: object): Promise<void> {
    exporter ??= (await api.apiKeys.create({ name: 'exporter', scopes: ['ingest'] })).key;
    expect((await platform.api(exporter ?? '').send('POST', '/otel/v1/traces', trace)).status).toBe(200);
  }

  const open = async (): Promise<PortalPage> => {
    const portal = await site.signIn();
    await portal.open(`/agents/${agent_id}`);
    return portal;
  };

  it('tests and changes an action', async () => {
    const portal = await open();
    const { page } = portal;
    await page.getByRole('button', { name: 'find_order', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Run it' }).click();
    await dialog.getByLabel('Output').getByText('shipped').waitFor();
    await portal.picture('agent-action');
    expect(await portal.accessibilityFaults('light')).toEqual([]);
    await dialog.getByLabel('What it does').fill('Find an order by its number');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('cell', { name: 'Find an order by its number' }).waitFor();
    await page.keyboard.press('Escape');
    expect(portal.faults).toEqual([]);
  }, 180_000);

  it('says what is wrong with the JSON of an action, and why it cannot be disabled', async () => {
    const portal = await open();
    const { page } = portal;
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'find_order', exact: true }).click();
    await dialog.getByLabel('Configuration (JSON)').fill('{"method": "GET" "endpoint": "/orders"}');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('What was entered is not JSON', { exact: false }).waitFor();
    expect(portal.faults).toEqual([]);
    await page.keyboard.press('Escape');
    const actions = page.getByRole('region', { name: 'Actions', exact: true });
    const error = { error: { status: 503, message: 'the agents service is down' } };
    await page.route('**/disable', (route) => route.fulfill({ status: 503, json: error }));
    await actions.getByRole('button', { name: 'Disable' }).click();
    await actions.getByText('the agents service is down').waitFor();
  }, 180_000);

  it('asks before an action is deleted', async () => {
    const portal = await open();
    const { page } = portal;
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'find_order', exact: true }).click();
    await dialog.getByRole('button', { name: 'Delete the action' }).click();
    await dialog.getByRole('heading', { name: 'Delete the action find_order?' }).waitFor();
    await page.keyboard.press('Escape');
    await dialog.getByRole('heading', { name: 'Action find_order' }).waitFor();
    await dialog.getByRole('button', { name: 'Delete the action' }).click();
    await dialog.getByText('It cannot be brought back.', { exact: false }).waitFor();
    await dialog.getByRole('button', { name: 'Delete the action' }).click();
    await page.getByText('Without an action the agent only answers.').waitFor();
    await dialog.waitFor({ state: 'detached' });
    expect(portal.faults).toEqual([]);
  }, 180_000);

  it('shows the value of before when a change is undone', async () => {
    const portal = await open();
    const { page } = portal;
    const { max_iterations } = await api.agents.get({ agent_id });
    const field = page.getByLabel('Most steps of one answer');
    await field.fill(String(max_iterations + 1));
    await field.blur();
    await page.getByText('max iterations saved').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await eventually('it is as before', async () => (await field.inputValue()) === String(max_iterations));
    expect(portal.faults).toEqual([]);
  }, 180_000);

  it('begins a new session while a run of the former one goes on', async () => {
    const portal = await open();
    const { page } = portal;
    const say = async (message: string): Promise<void> => {
      await page.getByRole('textbox', { name: 'Message' }).fill(message);
      await page.getByRole('button', { name: /^Send/ }).click();
    };
    const begins = page.getByRole('button', { name: 'New session' });
    await page.getByRole('button', { name: 'Add a secret' }).click();
    await page.getByLabel('Name of secret 1').fill('TOKEN');
    await page.getByLabel('Value of secret 1').fill('s3cret');
    await say('first');
    await page.getByText('[simulated] first').waitFor();
    await eventually(
      'the value is forgotten',
      async () => (await page.getByLabel('Value of secret 1').inputValue()) === '',
    );
    await say('again');
    await page.getByText('The secret TOKEN has no value.').waitFor();
    expect(await page.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('again');
    await page.getByRole('button', { name: 'Remove secret 1' }).click();
    let answer: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/invoke', async (route) => {
      await held;
      await route.continue();
    });
    const invoked = page.waitForResponse('**/invoke');
    await say('late');
    await begins.click();
    await begins.waitFor({ state: 'detached' });
    answer();
    await invoked;
    await page.unroute('**/invoke');
    await say('third');
    await page.getByText('[simulated] third').waitFor();
    expect(await page.getByText('[simulated] late').count()).toBe(0);
    expect(portal.faults).toEqual([]);
  }, 180_000);

  it('gives a message back that could not be sent', async () => {
    const { id: application_id } = await api.applications.create({ application_name: 'Busy desk' });
    const named = { application_id, agent_name: 'Busy', system_prompt: 'You help.' };
    const { id } = await api.agents.create(named);
    const portal = await site.signIn();
    const { page } = portal;
    await portal.open(`/agents/${id}`);
    const message = page.getByRole('textbox', { name: 'Message' });
    const error = { error: { status: 503, message: 'the agents service is down' } };
    await page.route('**/invoke', (route) => route.fulfill({ status: 503, json: error }));
    await message.fill('a long question');
    await page.getByRole('button', { name: /^Send/ }).click();
    await page.getByText('the agents service is down').waitFor();
    expect(await message.inputValue()).toBe('a long question');
    expect(await page.locator('.message').count()).toBe(0);
    await page.unroute('**/invoke');
    await page.getByRole('button', { name: /^Send/ }).click();
    await page.getByText('[simulated] a long question').waitFor();
    expect(await message.inputValue()).toBe('');
    expect(portal.faults.filter((fault) => !fault.includes('503'))).toEqual([]);
  }, 180_000);

  it('leads to the session of the agent, which may share its id with that of another', async () => {
    const { id: application_id } = await api.applications.create({ application_name: 'One customer' });
    const create = (agent_name: string) =>
      api.agents.create({ application_id, agent_name, system_prompt: 'You help.' });
    const { id: first } = await create('Greeter');
    const { id: second } = await create('Cashier');
    const ask = (agent_id: number, message: string) =>
      api.agents.invoke({ agent_id, message, session_id: 'customer-42' });
    await ask(first, 'to the greeter');
    await ask(second, 'to the cashier');
    const portal = await site.signIn();
    const { page } = portal;
    await portal.open(`/sessions?kind=Agents&agent_id=${second}`);
    await page.getByRole('grid').getByRole('link', { name: 'customer-42' }).click();
    await page.getByText('to the cashier', { exact: true }).waitFor();
    await page.getByRole('link', { name: /^run / }).click();
    await page.waitForURL('**/runs/task/*');
    await page.getByRole('link', { name: 'customer-42' }).click();
    await page.getByText('to the cashier', { exact: true }).waitFor();
    expect(await page.getByText('to the greeter').count()).toBe(0);
    expect(portal.faults).toEqual([]);
  }, 180_000);

  it('has nothing of another agent that was open before', async () => {
    const { id: application_id } = await api.applications.create({ application_name: 'Two desks' });
    const create = (agent_name: string, system_prompt: string) =>
      api.agents.create({ application_id, agent_name, system_prompt });
    const { id: first } = await create('First desk', 'You greet.');
    const { id: second } = await create('Second desk', 'You refund.');
    await api.agents.addSubAgent({ agent_id: first, child_agent_id: second });
    const portal = await site.signIn();
    const { page } = portal;
    await portal.open(`/agents/${first}`);
    await page.getByRole('link', { name: 'Second desk' }).click();
    await page.getByRole('heading', { level: 1, name: 'Second desk' }).waitFor();
    const prompt = page.getByLabel('System prompt');
    await prompt.fill('You refund nothing.');
    await prompt.blur();
    await page.getByText('system prompt saved').waitFor();
    await page.getByRole('button', { name: 'Add a secret' }).click();
    await page.getByLabel('Value of secret 1').fill('s3cret');
    await page.getByRole('textbox', { name: 'Message' }).fill('to the second');
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'First desk' }).waitFor();
    await eventually('its prompt', async () => (await prompt.inputValue()) === 'You greet.');
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
    expect(await page.getByLabel('Value of secret 1').count()).toBe(0);
    expect(await page.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('hello');
    expect(portal.faults).toEqual([]);
  }, 180_000);

  it('gives it a sub-agent and a rule that routes to it', async () => {
    const portal = await open();
    const { page } = portal;
    const children = page.getByRole('region', { name: 'Sub-agents', exact: true });
    await children.getByText('It asks no other agent.').waitFor();
    await children.getByRole('button', { name: 'Add sub-agent' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: /^Agent/ }).selectOption({ label: 'Refunds' });
    await dialog.getByRole('button', { name: 'Add it' }).click();
    await children.getByRole('link', { name: 'Refunds' }).waitFor();

    const routing = page.getByRole('region', { name: 'Routing', exact: true });
    for (const [label, value] of [
      ['Money back', 'refund'],
      ['Late', 'where is'],
    ] as const) {
      await routing.getByRole('button', { name: 'New rule' }).click();
      await dialog.getByLabel('Name').fill(label);
      await dialog.getByLabel('Value').fill(value);
      const targets = dialog.getByRole('combobox', { name: /^Sub-agent/ }).locator('option');
      await targets.filter({ hasText: 'Refunds' }).waitFor({ state: 'attached' });
      expect(await targets.allTextContents()).toEqual(['Refunds']);
      await dialog.getByRole('button', { name: 'Add it' }).click();
      await routing.getByText(`the message contains «${value}»`).waitFor();
    }
    await routing.getByLabel('Routes are chosen').selectOption('rules');
    await routing.getByRole('button', { name: 'Move Late up' }).click();
    await routing.getByRole('row').nth(1).getByText('Late').waitFor();
    await routing.getByLabel('A message').fill('I want a refund');
    await routing.getByRole('button', { name: 'Where does it go?' }).click();
    await routing.getByText('Rule «Money back»: Refunds answers.').waitFor();
    await portal.picture('agent-routing');
    for (const label of ['Late', 'Money back']) {
      await routing.getByRole('row', { name: label }).getByRole('button', { name: 'Delete' }).click();
      await dialog.getByRole('heading', { name: `Delete the rule ${label}?` }).waitFor();
      await dialog.getByRole('button', { name: 'Delete the rule' }).click();
      await routing.getByRole('row', { name: label }).waitFor({ state: 'detached' });
    }
    await children.getByRole('button', { name: 'Remove' }).click();
    await dialog.getByRole('heading', { name: 'Remove the sub-agent Refunds?' }).waitFor();
    await dialog.getByRole('button', { name: 'Remove the sub-agent' }).click();
    await children.getByText('It asks no other agent.').waitFor();
    expect(portal.faults).toEqual([]);
  }, 180_000);

  it('collects fields in an order', async () => {
    const portal = await open();
    const { page } = portal;
    const fields = page.getByRole('region', { name: 'Form fields', exact: true });
    const dialog = page.getByRole('dialog');
    for (const [key, label] of [
      ['order', 'Order'],
      ['size', 'Size'],
    ] as const) {
      await fields.getByRole('button', { name: 'New field' }).click();
      await dialog.getByLabel('Key').fill(key);
      await dialog.getByLabel('Label').fill(label);
      if (key === 'size') {
        await dialog.getByLabel('Type').selectOption('enum');
        await dialog.getByLabel('Choices').fill('S, M');
      }
      await dialog.getByRole('button', { name: 'Add it' }).click();
      await fields.getByText(label, { exact: false }).first().waitFor();
    }
    await fields.getByRole('cell', { name: 'S, M' }).waitFor();
    await fields.getByRole('button', { name: 'Move Size up' }).click();
    await fields.getByRole('row').nth(1).getByText('size').waitFor();
    expect(await portal.looksFaults('agent-build')).toEqual([]);
    await page.locator('main').evaluate((main) => main.scrollTo(0, main.scrollHeight));
    const top = await page.getByRole('region', { name: 'Try' }).evaluate((card) => card.getBoundingClientRect().top);
    // Below the bar of the frame, whatever was scrolled.
    expect(top).toBeGreaterThanOrEqual(48);
    expect(await page.title()).toContain('Agent ·');
    await fields.getByRole('button', { name: 'Delete' }).first().click();
    await dialog.getByRole('heading', { name: 'Delete the field Size?' }).waitFor();
    await dialog.getByRole('button', { name: 'Delete the field' }).click();
    await fields.getByRole('cell', { name: 'S, M' }).waitFor({ state: 'detached' });
    expect(portal.faults).toEqual([]);
  }, 180_000);

  it('says how traces are sent, and when the first one has arrived', async () => {
    const watcher = await platform.company('Watcher');
    const portal = await site.signIn(watcher);
    const { page } = portal;
    await page.getByRole('button', { name: 'Watch an agent that runs elsewhere' }).click();
    await page.getByText('Waiting for the first trace.', { exact: false }).waitFor();
    await page.getByLabel('Traced with').selectOption('Vercel AI SDK');
    await page.getByLabel('Code', { exact: true }).getByText('registerTelemetry').waitFor();
    expect(await portal.looksFaults('elsewhere')).toEqual([]);
    await page.getByRole('button', { name: 'Make a key for it' }).click();
    const key = await page.getByLabel('The new key', { exact: true }).innerText();
    await page.getByLabel('Variables with the key', { exact: true }).getByText(`x-service-api-key=${key}`).waitFor();
    expect(await portal.accessibilityFaults('dark')).toEqual([]);
    await portal.picture('elsewhere-key');
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByText(key, { exact: false }).first().waitFor({ state: 'detached' });
    const stored = await fetch(`${portal.origin}/otel/v1/traces`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-service-api-key': key },
      body: JSON.stringify(traceOf('First sender', 'build-1')),
    });
    expect(stored.status).toBe(200);
    await page.getByText('A trace has arrived').waitFor();
    await page.getByRole('link', { name: 'First sender' }).waitFor();
    await portal.picture('elsewhere-arrived');
    await page.getByRole('status').getByRole('link').nth(1).click();
    await page.waitForURL('**/runs/task/*');
    await page.getByRole('link', { name: 'First sender' }).click();
    await page.getByRole('heading', { level: 1, name: 'First sender' }).waitFor();
    expect(portal.faults).toEqual([]);
  }, 180_000);

  it('shows an agent that runs elsewhere by the traces that it sends', async () => {
    await send(traceOf(HOSTILE, 'build-7'));
    const task = await eventually(
      'the trace has become a run',
      async () => (await api.agents.listAllTasks({ trigger: ['EXTERNAL'], status: ['COMPLETED'] })).data[0] ?? null,
      60_000,
    );

    const portal = await site.signIn();
    const { page } = portal;
    await portal.open('/agents?kind=EXTERNAL');
    await page.getByRole('row').filter({ hasText: HOSTILE }).getByText('runs elsewhere').waitFor();
    expect(await page.getByText('Front desk').count()).toBe(0);
    await portal.picture('agents-elsewhere');

    await portal.open(`/agents/${task.agent_id}`);
    await page.getByRole('heading', { level: 1, name: HOSTILE }).waitFor();
    const settings = await page.getByLabel('Settings of the exporter').textContent();
    expect(settings).toContain(`OTEL_EXPORTER_OTLP_ENDPOINT='${portal.origin}/otel'`);
    for (const name of ['Publish', 'Ask', 'Disable'])
      expect([name, await page.getByRole('button', { name, exact: true }).count()]).toEqual([name, 0]);
    await page.getByText('No monitor judges its runs.').waitFor();
    await page.getByRole('link', { name: task.id.slice(0, 8) }).waitFor();
    expect(await portal.looksFaults('agent-elsewhere')).toEqual([]);

    await page.getByRole('tab', { name: 'Sessions' }).click();
    await page.getByText('talk-1').first().waitFor();
    await page.getByRole('tab', { name: 'Versions' }).click();
    const dialog = page.getByRole('dialog');
    for (const version of ['1.0.0', '1.1.0']) {
      await page.getByRole('button', { name: 'Add a version' }).click();
      await dialog.getByLabel('Version').fill(version);
      await dialog.getByRole('button', { name: 'Add it' }).click();
      await page.getByRole('cell', { name: version }).waitFor();
    }
    await page.getByRole('tab', { name: 'Releases' }).click();
    await page.getByRole('button', { name: 'New release' }).click();
    await dialog.getByLabel('Name').fill('production');
    await dialog.getByRole('combobox').selectOption('1.0.0');
    await dialog.getByRole('button', { name: 'Make it' }).click();
    await page.getByRole('button', { name: 'Move production to 1.1.0' }).click();
    await portal.picture('agent-elsewhere-move');
    await dialog.getByRole('button', { name: 'Move to 1.1.0' }).click();
    await page.getByRole('button', { name: 'Move production to 1.0.0' }).waitFor();
    expect(await portal.accessibilityFaults('dark')).toEqual([]);

    await page.getByRole('tab', { name: 'Runs' }).click();
    const row = page.getByRole('row').filter({ hasText: 'Where is order 7?' });
    await row.getByText('elsewhere', { exact: true }).waitFor();
    await row.getByText('build-7').waitFor();
    await portal.open(`/runs/task/${task.id}`);
    await page.getByText('build-7').waitFor();
    expect(await page.getByRole('button', { name: 'Run again' }).count()).toBe(0);
    expect(await portal.themeFaults('task-elsewhere')).toEqual([]);
    expect(portal.faults).toEqual([]);
  }, 180_000);

  it('makes an agent that runs elsewhere, which waits for its first trace', async () => {
    const portal = await site.signIn();
    const { page } = portal;
    await portal.open('/agents');
    await page.getByRole('button', { name: 'New agent' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('Depot');
    await dialog.getByLabel('Runs').selectOption('EXTERNAL');
    await dialog.getByText('its page says where to').waitFor();
    expect(await portal.accessibilityFaults('light')).toEqual([]);
    await dialog.getByRole('button', { name: 'Make it' }).click();
    await page.getByText('No trace has arrived yet.').waitFor();
    await portal.picture('agent-elsewhere-new');
    expect(portal.faults).toEqual([]);
  }, 180_000);

  it('runs a test set against a program elsewhere', async () => {
    const { id: test_set_id } = await api.testSets.create({ name: 'Orders' });
    await api.testSets.createItem({
      test_set_id,
      input: { messages: [{ role: 'user', content: 'Where is order 7?' }] },
      expected_output: { text: 'It is on its way.' },
    });
    const program = await startHttpTarget();
    program.answerWith(({ headers }) =>
      headers.authorization === 'Bearer s3cret-token'
        ? { status: 200, body: JSON.stringify({ answer: { text: 'It is on its way.' } }) }
        : { status: 401, body: '{}' },
    );
    try {
      const portal = await site.signIn();
      const { page } = portal;
      await portal.open(`/test-sets/${test_set_id}`);
      await page.getByRole('button', { name: 'Run it' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Against').selectOption('EXTERNAL');
      await dialog.getByLabel('Address').fill(program.url);
      await dialog.getByLabel('Headers').fill('Authorization Bearer');
      await dialog.getByLabel('Where the output is').fill('answer.text');
      await dialog.getByRole('button', { name: 'Start' }).click();
      await dialog.getByText('A header is «Name: value»').waitFor();
      await dialog.getByLabel('Headers').fill('Authorization: Bearer {{secrets.TOKEN}}');
      await dialog.getByRole('button', { name: 'Add a secret' }).click();
      await dialog.getByLabel('Name of secret 1').fill('TOKEN');
      await dialog.getByLabel('Value of secret 1').fill('s3cret-token');
      expect(await portal.themeFaults('test-run-elsewhere')).toEqual([]);
      await dialog.getByRole('button', { name: 'Start' }).click();
      await page.waitForURL('**/test-runs/*');
      await page.getByText('100 % (1)').waitFor();

      const [, traceId] = String(program.calls[0]?.headers.traceparent).split('-');
      await send(traceOf('Depot', 'build-8', traceId));
      const task = await eventually(
        'the trace of the test has become a run',
        async () => (await api.agents.listAllTasks({ trigger: ['TEST'], status: ['COMPLETED'] })).data[0] ?? null,
        60_000,
      );
      await api.agents.invoke({ agent_id, message: 'hello', wait: true });
      await portal.open(`/runs/task/${task.id}`);
      await page.getByText('It ran elsewhere: it cannot be run again from here.').waitFor();
      expect(await page.getByRole('button', { name: 'Run again' }).count()).toBe(0);

      await portal.open('/runs');
      const boxes = page.getByRole('grid').locator('.check');
      await boxes.nth(1).click();
      await page.getByText('They ran elsewhere').waitFor();
      await boxes.nth(0).click();
      await page.getByRole('button', { name: 'Run again' }).click();
      await dialog.getByText('Run 1 again?').waitFor();
      await dialog.getByText('1 of those chosen ran elsewhere and are left out.').waitFor();
      await dialog.getByRole('button', { name: 'Run again' }).click();
      await page.getByText('1 of 1 run again.').waitFor();
      expect(portal.faults).toEqual([]);
    } finally {
      await program.close();
    }
  }, 180_000);
});
