import { Inject, Injectable } from '@nestjs/common';
import { Every } from '@signalbox/bus';
import { ObjectStore, sweepObjects } from '@signalbox/objects';
import { LOGGER, type Logger } from '@signalbox/platform';
import { PayloadOffload } from './payload-offload.js';
import { OffloadedObjects } from './offloaded-objects.repository.js';

const ASK_MS = 60_000;
const EVERY_MS = 3_600_000;
/** A writer references its object long before this age. */
const ORPHAN_MS = 86_400_000;

/** At most once an hour, in one process: deletes objects that are at least a day old and that no request references. */
@Injectable()
export class ObjectSweep {
  constructor(
    private readonly names: OffloadedObjects,
    private readonly parts: PayloadOffload,
    @Inject(ObjectStore) private readonly store: ObjectStore,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Every(ASK_MS, 'the object store could not be swept')
  async sweep(stop: AbortSignal): Promise<void> {
    if (!(await this.names.beginSweep(Date.now() - EVERY_MS))) return;
    const before = Date.now() - ORPHAN_MS;
    const collect = (companyId: number, keys: readonly string[]): Promise<number> =>
      this.parts.collectOld(companyId, keys, before);
    const orphans = await sweepObjects(this.store, before, collect, stop);
    this.logger[orphans > 0 ? 'info' : 'debug'](
      { orphans },
      'swept the object store of objects that no request references',
    );
  }
}
