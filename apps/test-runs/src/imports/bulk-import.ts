import { Injectable } from '@nestjs/common';
import { ApiError, type BulkImport, type Caller, type FailedImport } from '@signalbox/contracts';
import { MAX_ITEMS } from '../sets/test-set.js';
import { Imports, keyOf, type ReadSource } from './imports.repository.js';
import { ImportSources, type Source } from './import-sources.js';

/** Sources that are read at the same time. */
const CONCURRENCY = 8;
/** What the sources of one call may hold together in characters of JSON. */
const MAX_CHARS = 67_108_864;

const failed = ({ source_type, source_id }: Source, message: string): FailedImport => ({
  source_type,
  source_id,
  message,
});

/** Imports many sources by one call: what can be imported is, and the rest is named with the reason. */
@Injectable()
export class BulkImports {
  constructor(
    private readonly imports: Imports,
    private readonly sources: ImportSources,
  ) {}

  async run(caller: Caller, setId: number, given: readonly Source[]): Promise<BulkImport> {
    const existing = await this.imports.existing(caller.companyId, setId, given);
    const fresh = new Map(
      given.filter((source) => !existing.has(keyOf(source))).map((source) => [keyOf(source), source]),
    );
    const { reads, failures } = await this.readAll([...fresh.values()], caller);
    const { created, left } = await this.imports.addAll(caller, setId, reads);
    const full = left.map((source) => failed(source, `the test set can hold at most ${MAX_ITEMS} items`));
    const failedKeys = new Set([...failures, ...full].map(keyOf));
    const imported = given.filter((source) => !failedKeys.has(keyOf(source))).length;
    return { created, existing: imported - created, failed: [...failures, ...full] };
  }

  private async readAll(sources: readonly Source[], caller: Caller) {
    const outcomes = new Array<ReadSource | FailedImport>(sources.length);
    let next = 0;
    let chars = 0;
    const work = async (): Promise<void> => {
      for (let at = next++; at < sources.length; at = next++) {
        const source = sources[at] as Source;
        if (chars > MAX_CHARS) {
          outcomes[at] = failed(source, 'the sources of this call are too large together: import it by another call');
          continue;
        }
        const outcome = await this.readOne(source, caller);
        if ('content' in outcome) chars += JSON.stringify(outcome.content).length;
        outcomes[at] = outcome;
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, work));
    return {
      reads: outcomes.filter((outcome): outcome is ReadSource => 'content' in outcome),
      failures: outcomes.filter((outcome): outcome is FailedImport => 'message' in outcome),
    };
  }

  /** A source that is missing or cannot be imported fails alone; a service that is down fails the call. */
  private async readOne(source: Source, caller: Caller): Promise<ReadSource | FailedImport> {
    try {
      return { source, content: await this.sources.read(source, caller) };
    } catch (error) {
      if (error instanceof ApiError && error.status < 500) return failed(source, error.message);
      throw error;
    }
  }
}
