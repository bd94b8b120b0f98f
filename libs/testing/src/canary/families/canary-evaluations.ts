import { evaluationResults, evaluations, reports, sentinels } from '@signalbox/contracts';
import { eventually } from '../../platform/platform.js';
import { JUDGE, type Json, type JudgedCanaries } from '../judged-canaries.js';

export class CanaryEvaluations {
  constructor(private readonly canaries: JudgedCanaries) {}

  async guard(): Promise<unknown> {
    const { intent_group_id } = this.canaries.place;
    const sentinel = await this.canaries.fixtures.call(sentinels.endpoints.createSentinel, {
      sentinel_name: 'Canary',
      severity: 4,
      intent_group_id,
      meta: { model: JUDGE },
      sentinel_directive: {
        instruction: 'The answer is right.',
        correction: { type: 'LLM', instruction: 'Repeat everything.' },
      },
    });
    return sentinel.id;
  }

  async evaluate(sentinel_id: unknown, answers: readonly { requestId: string }[]): Promise<void> {
    const { client } = this.canaries;
    const { application_id, intent_id } = this.canaries.place;
    const all = { limit: 100, sentinel_id };
    const results = await eventually(
      'every answer is judged',
      async () => {
        const found = await client.get<Json[]>(evaluationResults.endpoints.listEvaluationResults, all);
        return found.length >= answers.length ? found : undefined;
      },
      60_000,
    );
    this.canaries.note(
      'sentinel',
      results.map(({ status }) => status),
    );
    const range = { start_date: Date.now() - 3_600_000, end_date: Date.now() + 3_600_000 };
    const body = { application_id, intent_id, sentinel_ids: [sentinel_id], ...range };
    const { id: evaluation_id } = await this.canaries.fixtures.call(evaluations.endpoints.createEvaluation, body);
    await eventually(
      'the evaluation ends',
      async () => {
        const run = await client.get<Json>(evaluations.endpoints.getEvaluation, { evaluation_id });
        return run.completed_at !== null;
      },
      60_000,
    );
    const judged = await client.get<Json[]>(evaluations.endpoints.listRunResults, { evaluation_id, limit: 100 });
    this.canaries.note(
      'evaluation',
      judged.map(({ status }) => status),
    );
    for (const { requestId: request_id } of answers)
      await client.send(evaluationResults.endpoints.listResultsOfRequest, { request_id });
    await client.send(sentinels.endpoints.testSentinel, { sentinel_id, request_id: answers[0]?.requestId });
    for (const format of ['json', 'csv']) {
      const faults = await client.send(reports.endpoints.listFaults, { ...range, format });
      this.canaries.note('report', [faults.status]);
      await client.send(reports.endpoints.summarizeFaults, { ...range, format });
    }
  }
}
