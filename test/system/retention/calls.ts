import { eventually, type HttpTarget, type Platform } from '@signalbox/testing';

const DAY_MS = 86_400_000;
const RULE = { kind: 'group', op: 'AND', children: [] };
const DIRECTIVE = { instruction: 'Is polite.', examples: [{ example_type: 'PASS', example_body: 'Hello!' }] };
const SCRIPT = `async function execute(ctx) {
  ctx.log('info', 'begun');
  return ctx.step('kept', () => ctx.input);
}
`;

/** A company whose calls leave rows in every table with content of calls. */
export class CallingCompany {
  private constructor(
    private readonly platform: Platform,
    readonly id: number,
    private readonly key: string,
  ) {}

  static async make(platform: Platform): Promise<CallingCompany> {
    const { companyId, key } = await platform.company();
    return new CallingCompany(platform, companyId, key);
  }

  /** The same company on another platform that has its rows. */
  on(platform: Platform): CallingCompany {
    return new CallingCompany(platform, this.id, this.key);
  }

  send(route: string, body?: object) {
    const [method = '', path = ''] = route.split(' ');
    return this.platform.api(this.key).data(method, path, body);
  }

  /** Makes calls of every kind; resolves when they have ended. */
  async call(target: HttpTarget): Promise<void> {
    const application = await this.send('POST /applications', { application_name: 'Shop' });
    await this.complete(application.id);
    await this.invoke(application.id, target);
    const workflow = await this.send('POST /workflows', { workflow_ref_name: 'flow', script: SCRIPT });
    await this.watch(workflow.id);
    await this.send(`POST /workflows/${workflow.id}/execute`, { input: { n: 1 } });
  }

  /** A monitor of each run of a workflow. */
  private async watch(workflowId: number): Promise<void> {
    const config = { runner: { resource_type: 'direct', input: {} }, result: { default_outcome: 'PASS' } };
    const { id } = await this.send('POST /monitors', { name: 'watch', config });
    await this.send(`POST /monitors/${id}/targets`, { target_type: 'workflow', target_id: workflowId });
    await this.send(`POST /monitors/${id}/versions`, {});
    await this.send(`PUT /monitors/${id}/activate`);
  }

  /** A request in a session, with a tag, results of a sentinel, live and by an evaluation, and a payload that is an object. */
  private async complete(applicationId: number): Promise<void> {
    const intent = await this.send(`POST /applications/${applicationId}/intents`, { action_type: 'ask' });
    const { intent_group_id } = intent;
    const sentinel = await this.send('POST /sentinels', {
      sentinel_name: 'polite',
      severity: 1,
      sentinel_directive: DIRECTIVE,
      intent_group_id,
    });
    const tag = await this.send('POST /tags', { tag_name: 'every call' });
    await this.send('POST /tags/rules', { rule_name: 'every', tag_id: tag.id, conditions: RULE });
    await this.send('POST /chat/completions', {
      application: 'Shop',
      intent: 'ask',
      session_id: 'spoken',
      model: 'simulated-echo',
      messages: [{ role: 'user', content: 'private '.repeat(40_000) }],
      return_evaluation: true,
    });
    const dates = { start_date: Date.now() - DAY_MS, end_date: Date.now() + DAY_MS };
    const place = { application_id: applicationId, intent_id: intent.id };
    const { id } = await this.send('POST /evaluations', { ...place, ...dates, sentinel_ids: [sentinel.id] });
    await eventually('the evaluation ends', async () => (await this.send(`GET /evaluations/${id}`)).completed_at);
  }

  /** A task that waits for a callback until it is cancelled. */
  private async invoke(application_id: number, target: HttpTarget): Promise<void> {
    const fields = { application_id, agent_name: 'Agent', model: 'simulated-echo' };
    const { id } = await this.send('POST /agents', fields);
    await this.send(`POST /agents/${id}/actions`, {
      action_name: 'order',
      action_type: 'webhook',
      description: 'orders',
      is_default: true,
      action_config: {
        base_url: target.url,
        endpoint: '/order',
        mode: 'callback',
        body: { reply_to: '{{callback_url}}' },
      },
    });
    const { task_id } = await this.send(`POST /agents/${id}/invoke`, { message: 'private', wait: false });
    await eventually('the task waits', async () => {
      const { status } = await this.send(`GET /agents/tasks/${task_id}`);
      return status === 'WAITING_WEBHOOK';
    });
    await this.send(`POST /agents/${id}/tasks/${task_id}/cancel`);
  }
}
