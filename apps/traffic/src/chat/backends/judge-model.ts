import { Injectable } from '@nestjs/common';
import type { PushStream } from '@signalbox/platform';
import { type ChatChunk, type ChatCompletion, ProviderError } from '@signalbox/llm';
import type { CallTarget } from '../../call-targets/index.js';
import type { CompletionBackend, CompletionContext, Parameters } from './completion-backend.js';

/** The oldest is forgotten first, and found out again by one refused call. */
const MAX_KNOWN = 10_000;

/**
 * The parameters of such calls are the platform's own, so they may be adapted to the model. The judge of routing rules
 * has the origin of its task; the metadata of a workflow's call are those of its script.
 */
export const isJudgement = ({ origin }: { origin: string }, purpose?: unknown): boolean =>
  origin === 'EVALUATION' || origin === 'MONITOR' || (origin !== 'WORKFLOW' && purpose === 'routing');

/** Models whose providers refused a temperature in this process. */
@Injectable()
export class FixedTemperatures {
  private readonly known = new Set<string>();

  has(companyId: number, { model }: CallTarget): boolean {
    return this.known.has(`${companyId} ${model}`);
  }

  add(companyId: number, { model }: CallTarget): void {
    this.known.add(`${companyId} ${model}`);
    for (const oldest of this.known) {
      if (this.known.size <= MAX_KNOWN) return;
      this.known.delete(oldest);
    }
  }
}

/**
 * A model as a judge: it is asked for any JSON object where it supports no schema, and without a temperature where it
 * refuses one. A refusal is remembered, so it costs one unpaid call for each model and process.
 */
export class JudgeModel implements CompletionBackend {
  readonly model: string;
  readonly provider: string;
  readonly prices: CompletionBackend['prices'];

  constructor(
    private readonly inner: CompletionBackend,
    private readonly target: CallTarget,
    private readonly fixed: FixedTemperatures,
  ) {
    ({ model: this.model, provider: this.provider, prices: this.prices } = inner);
  }

  private fit(companyId: number, parameters: Parameters): Parameters {
    const fitting = this.fixed.has(companyId, this.target) ? withoutTemperature(parameters) : parameters;
    const isSchema = fitting.response_format?.type === 'json_schema';
    return isSchema && !this.target.supportsJsonSchema
      ? { ...fitting, response_format: { type: 'json_object' } }
      : fitting;
  }

  complete(parameters: Parameters, asking: CompletionContext): Promise<ChatCompletion> {
    return this.adapted(parameters, asking, (fitting, as) => this.inner.complete(fitting, as));
  }

  stream(parameters: Parameters, asking: CompletionContext): Promise<PushStream<ChatChunk>> {
    return this.adapted(parameters, asking, (fitting, as) => this.inner.stream(fitting, as));
  }

  private async adapted<T>(
    given: Parameters,
    { caller, signal }: CompletionContext,
    ask: (parameters: Parameters, asking: CompletionContext) => Promise<T>,
  ): Promise<T> {
    const { companyId } = caller;
    const parameters = this.fit(companyId, given);
    // Without the serialised parameters, which may differ.
    const asking = { caller, signal };
    try {
      return await ask(parameters, asking);
    } catch (error) {
      if (parameters.temperature === undefined || !refusesTemperature(error)) throw error;
      this.fixed.add(companyId, this.target);
      return ask(withoutTemperature(parameters), asking);
    }
  }
}

const withoutTemperature = ({ temperature: _temperature, ...others }: Parameters): Parameters => others;

const refusesTemperature = (error: unknown): boolean =>
  error instanceof ProviderError && error.status === 400 && /temperature/i.test(error.message);
