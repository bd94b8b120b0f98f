import { Serves } from '@signalbox/bus';
import { type CallTo, Chunks, finetuneFiles, type Handlers, notFound } from '@signalbox/contracts';
import { FinetuneRuns } from './finetune-run-kind.js';
import { FinetuneRunRows } from './finetune-runs.repository.js';
import { FrozenFiles } from './frozen-files.repository.js';

type C = typeof finetuneFiles;

/** For other services. */
@Serves(finetuneFiles)
export class FinetuneFileHandlers implements Handlers<C> {
  constructor(
    private readonly runs: FinetuneRuns,
    private readonly rows: FinetuneRunRows,
    private readonly files: FrozenFiles,
  ) {}

  async readTrainingFile({ input, caller: { companyId } }: CallTo<C, 'readTrainingFile'>) {
    if (!(await this.runs.load(companyId, input.run_id))) throw notFound('finetune run');
    return new Chunks(this.files.text(companyId, input.run_id, input.split));
  }

  async countModelUses({ input, caller: { companyId } }: CallTo<C, 'countModelUses'>) {
    return { runs: await this.rows.countTraining(companyId, input.model_name) };
  }
}
