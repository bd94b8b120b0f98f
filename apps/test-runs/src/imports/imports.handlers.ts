import { Serves } from '@signalbox/bus';
import {
  type BulkImport,
  type Caller,
  type CallTo,
  earlierReply,
  type Handlers,
  type ImportedItem,
  JsonText,
  testSetImports,
} from '@signalbox/contracts';
import { TestSets } from '../sets/index.js';
import { BulkImports } from './bulk-import.js';
import { Imports } from './imports.repository.js';
import { ImportSources, type Source } from './import-sources.js';

type C = typeof testSetImports;

@Serves(testSetImports)
export class ImportHandlers implements Handlers<C> {
  constructor(
    private readonly imports: Imports,
    private readonly sources: ImportSources,
    private readonly bulk: BulkImports,
    private readonly sets: TestSets,
  ) {}

  importRequest({ input, caller }: CallTo<C, 'importRequest'>) {
    const { test_set_id, request_id, use_correction, meta } = input;
    return this.importOne(caller, test_set_id, { source_type: 'REQUEST', source_id: request_id, use_correction }, meta);
  }

  importWorkflowRun({ input, caller }: CallTo<C, 'importWorkflowRun'>) {
    const { test_set_id, workflow_run_id, meta } = input;
    return this.importOne(caller, test_set_id, { source_type: 'WORKFLOW_RUN', source_id: workflow_run_id }, meta);
  }

  importAgentTask({ input, caller }: CallTo<C, 'importAgentTask'>) {
    const { test_set_id, agent_task_id, flatten_variant, meta } = input;
    const source: Source = { source_type: 'AGENT_TASK', source_id: agent_task_id, flatten_variant };
    return this.importOne(caller, test_set_id, source, meta);
  }

  async importBulk({ input, caller }: CallTo<C, 'importBulk'>) {
    const earlier = earlierReply<BulkImport>(caller);
    if (earlier) return earlier;
    await this.sets.require(caller.companyId, input.test_set_id);
    return this.bulk.run(caller, input.test_set_id, input.sources);
  }

  /** A repeated import reads only the item. */
  private async importOne(
    caller: Caller,
    setId: number,
    source: Source,
    meta: Record<string, unknown>,
  ): Promise<ImportedItem | JsonText<ImportedItem>> {
    const item = await this.imports.find(caller.companyId, setId, source);
    if (item !== null) return new JsonText<ImportedItem>(`{"item":${item.text},"created":false}`);
    await this.sets.require(caller.companyId, setId);
    return this.imports.add(caller, setId, { source, content: await this.sources.read(source, caller), meta });
  }
}
