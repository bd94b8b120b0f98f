import { type Endpoint, testRuns, testSetFiles, testSetImports, testSets } from '@signalbox/contracts';
import type { ConformanceFixtures } from '../../conformance/fixtures.js';
import { eventually } from '../../platform/platform.js';
import type { CanaryAgent, Secrets } from './canary-agents.js';
import type { CanaryContext, CanaryTask } from '../canary-cases.js';

const api = testRuns.endpoints;

export class CanaryDrivenRuns {
  readonly surprises: string[] = [];

  constructor(
    private readonly context: CanaryContext,
    private readonly fixtures: ConformanceFixtures,
  ) {}

  async run({ agentId }: CanaryAgent, { taskId }: CanaryTask, secrets: Secrets): Promise<void> {
    const set = await this.fixtures.call(testSets.endpoints.createTestSet, { name: 'canaries' });
    const test_set_id = set.id;
    const imported = { test_set_id, agent_task_id: taskId };
    await this.context.client.get(testSetImports.endpoints.importAgentTask, imported);
    const body = { test_set_id, consumer_kind: 'AGENT', consumer_config: { agent_id: agentId } };
    const { id } = await this.fixtures.call(api.createTestRun, body);
    await this.context.client.get(api.prepareTestRun, { id });
    await this.context.client.get(api.executeTestRun, { id, secrets });
    const status = await eventually('the test run ends', async () => {
      const { data } = JSON.parse(await this.send(api.getTestRun, { id })) as { data?: { status: string } };
      return ['COMPLETED', 'FAILED'].find((each) => each === data?.status);
    });
    if (status !== 'COMPLETED') this.surprises.push(`test run: ${status}`);
    await this.send(api.scoreTestRun, { id });
    await this.readItems(id);
    await this.send(api.streamTestRun, { id });
    for (const format of ['jsonl', 'csv'])
      await this.send(testSetFiles.endpoints.exportTestSet, { test_set_id, format });
  }

  private async readItems(id: unknown): Promise<void> {
    const items = JSON.parse(await this.send(api.listRunItems, { id, limit: 100 })) as {
      data: { id: number; status: string }[];
    };
    if (!items.data.every(({ status }) => status === 'COMPLETED') || items.data.length !== 1)
      this.surprises.push(`items: ${JSON.stringify(items.data).slice(0, 300)}`);
    for (const { id: item_id } of items.data)
      for (const endpoint of [api.getRunItem, api.listItemScores, api.listItemAttempts])
        await this.send(endpoint, { id, item_id });
  }

  private async send(endpoint: Endpoint, input: Record<string, unknown>): Promise<string> {
    return (await this.context.client.send(endpoint, input)).text;
  }
}
