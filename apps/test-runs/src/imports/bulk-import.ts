import { Injectable } from '@nestjs/common';
import { ApiError, type BulkImport, type Caller, conflict, type FailedImport } from '@signalbox/contracts';
import { MAX_ITEMS } from '../sets/index.js';
import { Imports, keyOf, type ReadSource } from './imports.repository.js';
import { ImportSources, type Source } from './import-sources.js';
import { SetQueues } from './set-queues.js';

/** Sources that are read concurrently. */
const CONCURRENCY = 8;
/** Characters of JSON of all sources of one call. */
const MAX_CHARS = 67_108_864;

const TOO_LARGE = 'the sources of this call are too large together: import the rest by another call';

export type Need = 'all' | 'some';

const failed = ({ source_type, source_id }: Source, message: string): FailedImport => ({
  source_type,
  source_id,
  message,
});

/** What can be imported is, and the rest is named with the reason. */
@Injectable()
export class BulkImports {
  private readonly queues = new SetQueues();

  constructor(
    private readonly imports: Imports,
    private readonly sources: ImportSources,
  ) {}

  /** With `all`, the first source that cannot be imported fails the call and nothing is imported. */
  run(caller: Caller, setId: number, given: readonly Source[], need: Need = 'some'): Promise<BulkImport> {
    return this.queues.run(caller.companyId, setId, () => this.import(caller, setId, given, need));
  }

  private async import(caller: Caller, setId: number, given: readonly Source[], need: Need): Promise<BulkImport> {
    const existing = await this.imports.existing(caller.companyId, setId, given);
    const fresh = new Map(
      given.filter((source) => !existing.has(keyOf(source))).map((source) => [keyOf(source), source]),
    );
    const { reads, failures } = await this.readAll([...fresh.values()], caller, need);
    if (reads.length === 0 && failures.length === 0) return { created: 0, existing: given.length, failed: [] };
    return this.imports.addAll(caller, setId, { reads, need }, ({ created, left }) => {
      const full = left.map((source) => failed(source, `the test set can hold at most ${MAX_ITEMS} items`));
      const failedKeys = new Set([...failures, ...full].map(keyOf));
      const imported = given.filter((source) => !failedKeys.has(keyOf(source))).length;
      return { created, existing: imported - created, failed: [...failures, ...full] };
    });
  }

  private async readAll(sources: readonly Source[], caller: Caller, need: Need) {
    const outcomes = new Array<ReadSource | FailedImport>(sources.length);
    let next = 0;
    let chars = 0;
    const work = async (): Promise<void> => {
      for (let at = next++; at < sources.length; at = next++) {
        const source = sources[at] as Source;
        if (chars > MAX_CHARS) {
          if (need === 'all') throw conflict(TOO_LARGE);
          outcomes[at] = failed(source, TOO_LARGE);
          continue;
        }
        const outcome = await this.readOne(source, caller, need);
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
  private async readOne(source: Source, caller: Caller, need: Need): Promise<ReadSource | FailedImport> {
    try {
      return { source, content: await this.sources.read(source, caller) };
    } catch (error) {
      if (need === 'some' && error instanceof ApiError && error.status < 500) return failed(source, error.message);
      throw error;
    }
  }
}
