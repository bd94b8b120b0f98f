import { Serves } from '@signalbox/bus';
import { type CallTo, evaluationResults, type Handlers } from '@signalbox/contracts';
import { RequestReader } from '../request-reads/index.js';
import { EvaluationResults } from '../judging/index.js';

type C = typeof evaluationResults;

@Serves(evaluationResults)
export class EvaluationResultHandlers implements Handlers<C> {
  constructor(
    private readonly results: EvaluationResults,
    private readonly requests: RequestReader,
  ) {}

  listEvaluationResults({ input, caller }: CallTo<C, 'listEvaluationResults'>) {
    return this.results.list(caller.companyId, input);
  }

  searchEvaluationResults(call: CallTo<C, 'searchEvaluationResults'>) {
    return this.listEvaluationResults(call);
  }

  async listResultsOfRequest({ input, caller }: CallTo<C, 'listResultsOfRequest'>) {
    await this.requests.require(caller.companyId, input.request_id);
    return this.results.ofRequest(caller.companyId, input.request_id);
  }
}
