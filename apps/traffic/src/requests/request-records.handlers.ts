import { Serves } from '@signalbox/bus';
import { type CallTo, type Handlers, requestRecords } from '@signalbox/contracts';
import { OwnRecords } from './record-store.js';

type C = typeof requestRecords;

/** Takes the records of calls that were made in other processes of this service. */
@Serves(requestRecords)
export class RequestRecordsHandlers implements Handlers<C> {
  constructor(private readonly own: OwnRecords) {}

  async storeRecords({ input: { records }, caller: { companyId } }: CallTo<C, 'storeRecords'>) {
    // Whose records they are, the caller says and not their text.
    return { stored: await this.own.store(records, companyId) };
  }
}
