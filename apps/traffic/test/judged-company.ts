import {
  type CompletionCall,
  evaluationResults,
  type InputOf,
  intentGroups,
  type RecordedRequest,
  requests,
  type SentinelDirective,
  sentinels,
} from '@signalbox/contracts';
import { eventually, type ModelRequest } from '@signalbox/testing';
import { Places } from './traffic-client.js';
import { LIST, type Traffic, withModel } from './traffic.js';

export const directive = (change: Partial<SentinelDirective> = {}): SentinelDirective => ({
  instruction: 'The answer is polite.',
  examples: [],
  qualification: null,
  correction: null,
  include_options: { system_prompt: true, context: true, input: true, tool_calls: true, json_schema: true },
  ...change,
});

type NewSentinel = InputOf<typeof sentinels.endpoints.createSentinel>;

/** The schema that a call of a judge asks for; undefined for other calls. */
export const formatOf = ({ response_format: format }: ModelRequest): string | undefined =>
  (format as { json_schema?: { name: string } } | undefined)?.json_schema?.name;

/** A company whose model `m` answers its clients and judges. */
export class JudgedCompany {
  private constructor(
    readonly traffic: Traffic,
    readonly places: Places,
    /** The group of the intent `ask`. */
    readonly groupId: number,
    /** An API key of the company. */
    readonly key: string,
  ) {}

  static async make(traffic: Traffic): Promise<JudgedCompany> {
    // Before the first call of the company, from which on its settings are cached.
    const { companyId, key } = await withModel(traffic, {}, (id) =>
      traffic.platform.sql.query(
        `UPDATE accounts.companies SET settings = settings || '{"judge_model": "m"}' WHERE id = $1`,
        [id],
      ),
    );
    const places = new Places(traffic, companyId);
    const body = { intent_group_name: 'ask', meta: {} };
    const group = await places.bus.call(intentGroups.endpoints.createIntentGroup, body, places.caller());
    return new JudgedCompany(traffic, places, group.id, key);
  }

  get bus() {
    return this.places.bus;
  }

  caller() {
    return this.places.caller();
  }

  sentinel(sentinel_name: string, change: Partial<NewSentinel> = {}) {
    const body = {
      sentinel_name,
      severity: 3,
      intent_group_id: this.groupId,
      sentinel_directive: directive(),
      meta: {},
      state: 'ENABLED' as const,
      ...change,
    };
    return this.bus.call(sentinels.endpoints.createSentinel, body, this.caller());
  }

  /** A call of the intent; returns the completion. */
  ask(content = 'hello', more: Partial<CompletionCall> = {}) {
    return this.places.complete({ model: 'm', intent: 'ask', messages: [{ role: 'user', content }], ...more });
  }

  request(request_id: string): Promise<RecordedRequest> {
    return this.bus.call(requests.endpoints.getRequest, { request_id }, this.caller());
  }

  /** A request once its evaluation has ended. */
  evaluated(request_id: string): Promise<RecordedRequest> {
    return eventually('the request is evaluated', async () => {
      const request = await this.request(request_id);
      return request.evaluation_status === 'PENDING' ? undefined : request;
    });
  }

  results(request_id: string) {
    return this.bus.call(evaluationResults.endpoints.listResultsOfRequest, { request_id }, this.caller());
  }

  async allResults(change: Partial<InputOf<typeof evaluationResults.endpoints.listEvaluationResults>> = {}) {
    const input = { ...LIST, ...change };
    return (await this.bus.call(evaluationResults.endpoints.listEvaluationResults, input, this.caller())).data;
  }

  /** Has the model reply to judges with JSON, and to others with a text. */
  script(
    judge: (request: ModelRequest) => object | string,
    answer: string | ((request: ModelRequest) => string) = 'fine',
  ) {
    this.traffic.world.answerWith((request) => {
      if (formatOf(request) === undefined) return typeof answer === 'string' ? answer : answer(request);
      const reply = judge(request);
      return typeof reply === 'string' ? reply : JSON.stringify(reply);
    });
  }

  /** The calls of judges so far. */
  judgeCalls(): ModelRequest[] {
    return this.traffic.world.calls
      .map(({ body }) => body as ModelRequest)
      .filter((body) => formatOf(body) !== undefined);
  }
}
