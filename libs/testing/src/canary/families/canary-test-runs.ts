import { evaluationCriteria, testRuns, testSetImports, testSetItems, testSets } from '@signalbox/contracts';
import { eventually } from '../../platform/platform.js';
import { JUDGE, type Json, type JudgedCanaries } from '../judged-canaries.js';

export class CanaryTestRuns {
  constructor(private readonly canaries: JudgedCanaries) {}

  async importInto(answers: readonly { requestId: string; taskId: string }[]) {
    const { id: test_set_id } = await this.canaries.fixtures.call(testSets.endpoints.createTestSet, {
      name: 'Canaries',
    });
    for (const { requestId: request_id } of answers.slice(0, 3))
      await this.canaries.fixtures.call(testSetImports.endpoints.importRequest, { test_set_id, request_id });
    await this.canaries.fixtures.call(testSetImports.endpoints.importAgentTask, {
      test_set_id,
      agent_task_id: answers[0]?.taskId,
    });
    await this.canaries.client.send(testSetItems.endpoints.listTestSetItems, { test_set_id, limit: 100 });
    return test_set_id;
  }

  async test(test_set_id: unknown, agentId: unknown): Promise<void> {
    const { client } = this.canaries;
    const { id: criteria_id } = await this.canaries.fixtures.call(evaluationCriteria.endpoints.createCriteria, {
      name: 'Canary',
      criteria_type: 'BOOLEAN',
      method: 'LLM',
      prompt: 'Is it right?',
      config: { model: JUDGE },
    });
    for (const [consumer_kind, consumer_config] of [
      ['AGENT', { agent_id: agentId }],
      ['MODEL', { model: JUDGE }],
    ] as const) {
      const body = { test_set_id, consumer_kind, consumer_config, criteria_ids: [criteria_id] };
      const { id } = await this.canaries.fixtures.call(testRuns.endpoints.createTestRun, body);
      await this.canaries.fixtures.call(testRuns.endpoints.prepareTestRun, { id });
      const secrets = consumer_kind === 'AGENT' ? { secrets: this.canaries.newSecrets() } : {};
      await this.canaries.fixtures.call(testRuns.endpoints.executeTestRun, { id, ...secrets });
      const ended = async (isEnded: (run: Json) => boolean) =>
        eventually(
          `the test run against ${consumer_kind} ends`,
          async () => isEnded(await client.get<Json>(testRuns.endpoints.getTestRun, { id })),
          60_000,
        );
      await ended(({ status }) => status === 'COMPLETED');
      await client.send(testRuns.endpoints.scoreTestRun, { id });
      await ended(({ scored_at }) => scored_at !== null);
      const items = await client.get<Json[]>(testRuns.endpoints.listRunItems, { id, limit: 100 });
      for (const { id: item_id, status, outcome } of items) {
        for (const endpoint of [testRuns.endpoints.getRunItem, testRuns.endpoints.listItemScores])
          await client.send(endpoint, { id, item_id });
        await client.send(testRuns.endpoints.listItemAttempts, { id, item_id });
        this.canaries.note(`test run of ${consumer_kind}`, [`${String(status)} ${String(outcome)}`]);
      }
      await client.send(testRuns.endpoints.streamTestRun, { id });
    }
  }
}
