import { applications, completions, models, providers } from '@signalbox/contracts';
import type { ConformanceFixtures } from '../../conformance/fixtures.js';
import type { ModelProvider } from '../../fakes/model-provider.js';
import { messageText, type ModelReply, type ModelRequest } from '../../fakes/model-replies.js';
import { eventually } from '../../platform/platform.js';
import { type CanaryAgents, canaryModel, type Secrets } from './canary-agents.js';
import type { CanaryContext } from '../canary-cases.js';
import { CanaryEvaluations } from './canary-evaluations.js';
import { CanaryMonitors } from './canary-monitors.js';
import { CanaryTestRuns } from './canary-test-runs.js';
import { BROKEN_JUDGE, type CanaryPlace, JUDGE, type JudgedCanaries } from '../judged-canaries.js';

const PROVIDER = 'canary-judges';
const CALLS = 6;
/** One call of judges in three is refused, with the key of the provider in the message. */
const REFUSED_EACH = 3;

function verdictOf(format: string, said: string): object {
  if (format === 'correction') return { corrected: said };
  if (format === 'judgement') return { verdict: 'FAIL', reason: said };
  return { verdict: 'FAULT', reason: said, confidence: 1 };
}

const formatOf = ({ response_format: format }: ModelRequest): string | undefined =>
  (format as { json_schema?: { name: string } } | undefined)?.json_schema?.name;

/**
 * Judges of every kind over answers of an agent that uses canaries. Their verdicts repeat what they are asked, and
 * their provider, whose key is a canary too, repeats the key in its errors.
 */
export class CanaryJudges {
  readonly verdicts: Record<string, string[]> = {};
  private readonly key: string;
  private asked = 0;

  constructor(
    private readonly context: CanaryContext,
    private readonly fixtures: ConformanceFixtures,
    private readonly agents: CanaryAgents,
    private readonly model: ModelProvider,
    private readonly secrets: { next: () => Secrets; key: string },
  ) {
    this.key = secrets.key;
    model.answerWith((request, index) =>
      [JUDGE, BROKEN_JUDGE].includes(request.model) ? this.reply(request) : canaryModel(request, index),
    );
  }

  async run(): Promise<void> {
    await this.addModels();
    const { client } = this.context;
    const { fixtures, secrets } = this;
    const note = (kind: string, verdicts: readonly unknown[]): void =>
      void (this.verdicts[kind] = [...(this.verdicts[kind] ?? []), ...verdicts.map(String)]);
    const canaries = { client, fixtures, place: await this.place(), newSecrets: secrets.next, note };
    const [monitors, evaluations, testRuns] = [
      new CanaryMonitors(canaries),
      new CanaryEvaluations(canaries),
      new CanaryTestRuns(canaries),
    ];
    const { agentId } = await this.agents.make({ path: '/echo', auth: 'bearer' });
    const [monitorIds, sentinelId] = [await monitors.watch(agentId), await evaluations.guard()];
    const answers = await this.call(canaries, agentId);
    await monitors.readRuns(monitorIds, answers.length);
    await evaluations.evaluate(sentinelId, answers);
    const testSetId = await testRuns.importInto(answers);
    await testRuns.test(testSetId, agentId);
    await monitors.check(monitorIds, testSetId);
  }

  private async place(): Promise<CanaryPlace> {
    const { application_id, id: intent_id, intent_group_id, action_type } = await this.fixtures.newIntent();
    return { application_id, intent_id, intent_group_id, intent: String(action_type) };
  }

  private reply(request: ModelRequest): ModelReply {
    const format = formatOf(request);
    if (format === undefined) return { error: { status: 401, message: `Incorrect API key provided: ${this.key}.` } };
    if (request.model === BROKEN_JUDGE || ++this.asked % REFUSED_EACH === 0)
      return {
        error: { status: 400, message: `The key ${this.key} is not valid here: ${encodeURIComponent(this.key)}` },
      };
    const said = request.messages.map(({ content }) => messageText(content)).join('\n');
    return JSON.stringify(verdictOf(format, said.slice(-1500)));
  }

  private async addModels(): Promise<void> {
    const { id: provider_id } = await this.fixtures.call(providers.endpoints.createProvider, {
      provider_name: PROVIDER,
      kind: 'openai_compatible',
      base_url: this.model.url,
      api_key: this.key,
    });
    for (const model_name of [JUDGE, BROKEN_JUDGE])
      await this.fixtures.call(models.endpoints.createModel, { model_name, provider_id });
  }

  private async call(canaries: JudgedCanaries, agentId: unknown): Promise<{ requestId: string; taskId: string }[]> {
    const { client, platform } = this.context;
    const { application_id, intent } = canaries.place;
    const home = await this.fixtures.call(applications.endpoints.getApplication, { application_id });
    const sent: { requestId: string; taskId: string }[] = [];
    for (let at = 0; at < CALLS; at++) {
      const body = {
        model: `agent:${String(agentId)}`,
        application: home.application_name,
        intent,
        messages: [{ role: 'user', content: 'send it' }],
        secrets: canaries.newSecrets(),
        ...(at % 2 ? { return_evaluation: true, safe_mode: true, apply_corrections: true } : {}),
      };
      const reply = await client.send(completions.endpoints.createCompletion, body);
      const { request_id = '' } = JSON.parse(reply.text) as { request_id?: string };
      if (request_id === '') throw new Error(`a completion was answered ${reply.status}: ${reply.text.slice(0, 300)}`);
      const task = await eventually('the call is recorded', async () => {
        const { rows } = await platform.sql.query<{ id: string | null }>(
          'SELECT task_id AS id FROM traffic.requests WHERE request_id = $1',
          [request_id],
        );
        return rows[0];
      });
      sent.push({ requestId: request_id, taskId: String(task.id) });
    }
    return sent;
  }
}
