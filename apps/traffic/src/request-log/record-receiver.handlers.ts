import { Serves } from '@signalbox/bus';
import { ApiError, type CallTo, type Handlers, requestRecords } from '@signalbox/contracts';
import { companyOfLine } from './record-line.js';
import { OwnRecords } from './record-store.js';
import { RequestLog } from './request-log.js';

type C = typeof requestRecords;

@Serves(requestRecords)
export class RequestRecordsHandlers implements Handlers<C> {
  constructor(
    private readonly own: OwnRecords,
    private readonly log: RequestLog,
  ) {}

  async storeRecords({ input: { records }, caller: { companyId } }: CallTo<C, 'storeRecords'>) {
    // Not that of the text: the caller's company is authenticated.
    return { stored: await this.own.store(records, companyId) };
  }

  async keepRecords({ input: { records }, caller: { companyId } }: CallTo<C, 'keepRecords'>) {
    if (records.some((record) => companyOfLine(record) !== companyId))
      throw new ApiError('invalid', 'a record belongs to another company');
    await this.log.keepAll(companyId, records);
    return { stored: records.length };
  }
}
