import { Inject, Injectable } from '@nestjs/common';
import { Every } from '@signalbox/bus';
import { ObjectStore, sweepObjects } from '@signalbox/objects';
import { LOGGER, type Logger } from '@signalbox/platform';
import { StoredObjects } from './stored-objects.repository.js';

const ASK_MS = 60_000;
const EVERY_MS = 3_600_000;
/** Minimum age of swept objects; a writer refers to its object long before. */
const ORPHAN_MS = 86_400_000;

/** At most once an hour in all processes: deletes objects at least a day old that nothing refers to. */
@Injectable()
export class ObjectSweep {
  constructor(
    private readonly objects: StoredObjects,
    @Inject(ObjectStore) private readonly store: ObjectStore,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Every(ASK_MS, 'the object store could not be swept')
  async sweep(stop: AbortSignal): Promise<void> {
    if (!(await this.objects.beginSweep(Date.now() - EVERY_MS))) return;
    const before = Date.now() - ORPHAN_MS;
    const collect = (companyId: number, keys: readonly string[]): Promise<number> =>
      this.objects.collect(companyId, keys, before);
    const orphans = await sweepObjects(this.store, before, collect, stop);
    this.logger[orphans > 0 ? 'info' : 'debug']({ orphans }, 'swept the object store of objects without a reference');
  }
}
