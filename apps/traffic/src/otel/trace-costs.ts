import { Injectable } from '@nestjs/common';
import type { Usage } from '@signalbox/contracts';
import { costOf } from '@signalbox/llm';
import { Models } from '../models/index.js';
import { amountOf, textIn, tokensIn, valueIn } from './mapping/attributes.js';
import type { SpanNode } from './mapping/trace-tree.js';

@Injectable()
export class TraceCosts {
  constructor(private readonly models: Models) {}

  /** The cost is what the emitter says, else by the price of our model of that name, else null. */
  async usagesOf(companyId: number, nodes: readonly SpanNode[]): Promise<[SpanNode, Usage][]> {
    const names = [...new Set(nodes.flatMap(({ span }) => textIn(span, 'model') ?? []))];
    const prices = await this.models.pricesOf(companyId, names);
    return nodes.map((node) => {
      const { span } = node;
      const prompt_tokens = tokensIn(span, 'prompt_tokens');
      const completion_tokens = tokensIn(span, 'completion_tokens');
      const counted = { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
      const given = amountOf(valueIn(span, 'cost'));
      const price = prices.get(textIn(span, 'model') ?? '');
      const cost = given ?? (price ? costOf({ ...counted, cost: null }, price) : null);
      return [node, { ...counted, cost }];
    });
  }
}
