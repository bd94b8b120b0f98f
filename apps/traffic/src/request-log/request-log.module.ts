import { type DynamicModule, Global, Module } from '@nestjs/common';
import {
  FLUSH_ALL,
  FLUSH_PENDING,
  type FlushPending,
  Quarantine,
  requestLogFolders,
  type Settings,
} from '@signalbox/platform';
import { RequestRecordsModule } from '../request-records/index.js';
import { RequestRecordsHandlers } from './record-receiver.handlers.js';
import { ForwardedRecords, OwnRecords, RecordStore } from './record-store.js';
import { RecordWriter } from './record-writer.js';
import { RecordWriters } from './record-writers.js';
import { RequestLog, SPOOL_FOLDER, spoolFolder } from './request-log.js';

/** How long a read waits for records of its company that are not stored yet. */
const FLUSH_MS = 1000;

/** Records of calls on their way to Postgres; the bus waits for them before it serves endpoints that read them. */
@Global()
@Module({})
export class RequestLogModule {
  /** `inProcess` = the traffic service stores the records of this process. */
  static with({ DATA_DIR }: Settings<'DATA_DIR'>, inProcess: boolean): DynamicModule {
    return {
      module: RequestLogModule,
      imports: [RequestRecordsModule],
      controllers: inProcess ? [] : [RequestRecordsHandlers],
      providers: [
        RequestLog,
        OwnRecords,
        RecordWriter,
        { provide: Quarantine, useValue: new Quarantine(requestLogFolders(DATA_DIR).quarantine) },
        { provide: RecordStore, useClass: inProcess ? ForwardedRecords : OwnRecords },
        { provide: SPOOL_FOLDER, useValue: spoolFolder(DATA_DIR) },
        RecordWriters,
        {
          provide: FLUSH_ALL,
          inject: [RecordWriters],
          useFactory: (writers: RecordWriters) => () => writers.flush(),
        },
        {
          provide: FLUSH_PENDING,
          inject: [RequestLog],
          useFactory:
            (log: RequestLog): FlushPending =>
            (companies) =>
              log.settle(FLUSH_MS, companies),
        },
      ],
      exports: [RequestLog, FLUSH_ALL, FLUSH_PENDING],
    };
  }
}
