import { Serves } from '@signalbox/bus';
import { type CallTo, type Handlers, requestRecords } from '@signalbox/contracts';
import type { RequestRecord } from './request-record.js';
import { Requests } from './requests.repository.js';

type C = typeof requestRecords;

/** Takes the records of calls that were made in other processes of this service. */
@Serves(requestRecords)
export class RequestRecordsHandlers implements Handlers<C> {
  constructor(private readonly requests: Requests) {}

  async storeRecords({ input: { records }, caller: { companyId } }: CallTo<C, 'storeRecords'>) {
    // Whose records they are, the caller says and not their text.
    await this.requests.insert(records.map((record) => ({ ...(record as RequestRecord), company_id: companyId })));
    return { stored: records.length };
  }
}
