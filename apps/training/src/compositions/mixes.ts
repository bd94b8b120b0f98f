import { Injectable } from '@nestjs/common';
import type { Caller, Composition, ExcludedOverlap } from '@signalbox/contracts';
import { Candidates } from './candidates.repository.js';
import { Compositions } from './compositions.repository.js';
import { ExcludedInputs } from './excluded-inputs.js';
import { type Candidate, type Mix, mix } from './mix.js';

export interface EvaluatedMix {
  mix: Mix;
  excluded: ExcludedOverlap[];
}

@Injectable()
export class Mixes {
  constructor(
    private readonly compositions: Compositions,
    private readonly candidates: Candidates,
    private readonly excludedInputs: ExcludedInputs,
  ) {}

  async of(caller: Caller, composition: Composition): Promise<EvaluatedMix> {
    const { companyId } = caller;
    const items = await this.excludedInputs.read(composition.exclude_test_set_ids, caller);
    const rows = await this.candidates.keys(
      companyId,
      composition.entries.map(({ dataset_id }) => dataset_id),
    );
    const excluded = rows.filter(({ input_hash }) => items.has(input_hash));
    await this.compositions.countExclusions(companyId, composition.id, countsOf(excluded));
    return {
      mix: mix(
        rows.filter(({ input_hash }) => !items.has(input_hash)),
        composition,
      ),
      excluded: excluded.map(({ id, input_hash }) => ({
        dataset_request_id: id,
        test_set_item_id: items.get(input_hash) ?? 0,
      })),
    };
  }
}

function countsOf(rows: readonly Candidate[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { dataset_id } of rows) counts[dataset_id] = (counts[dataset_id] ?? 0) + 1;
  return counts;
}
