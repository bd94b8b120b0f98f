import { Injectable } from '@nestjs/common';
import type { Usage } from '@signalbox/contracts';
import { costOf, type TokenPrices } from '@signalbox/llm';
import { Models } from '../models/index.js';
import { costIn, requestedModelOf, textIn, tokensIn } from './mapping/attributes.js';
import type { SpanNode } from './mapping/trace-tree.js';

const UNKNOWN: TokenPrices = { input_price_per_mtok: null, output_price_per_mtok: null };

@Injectable()
export class TraceCosts {
  constructor(private readonly models: Models) {}

  /** The cost is what the emitter says, else by the price of our model of that name or of the requested one, else null. */
  async usagesOf(companyId: number, nodes: readonly SpanNode[]): Promise<[SpanNode, Usage][]> {
    const prices = await this.models.pricesOf(companyId, [...new Set(nodes.flatMap(modelsOf))]);
    return nodes.map((node) => {
      const { span } = node;
      const prompt_tokens = tokensIn(span, 'prompt_tokens');
      const completion_tokens = tokensIn(span, 'completion_tokens');
      const counted = { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
      const costs = modelsOf(node).map((name) => costOf({ ...counted, cost: null }, prices.get(name) ?? UNKNOWN));
      const cost = costIn(span) ?? costs.find((each) => each !== null) ?? null;
      return [node, { ...counted, cost }];
    });
  }
}

const modelsOf = ({ span }: SpanNode): string[] =>
  [textIn(span, 'model'), requestedModelOf(span)].filter((name) => name !== null);
