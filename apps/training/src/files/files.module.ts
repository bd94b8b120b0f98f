import { Module } from '@nestjs/common';
import { Database, Uploads } from '@signalbox/database';
import { DatasetsModule } from '../datasets/index.js';
import { RequestsModule } from '../requests/index.js';
import { DatasetFileHandlers } from './dataset-files.handlers.js';
import { FileExports } from './file-export.repository.js';
import { FileUploads } from './file-upload.repository.js';
import { UploadSweep } from './upload-sweep.worker.js';

@Module({
  imports: [DatasetsModule, RequestsModule],
  controllers: [DatasetFileHandlers],
  providers: [
    FileExports,
    FileUploads,
    UploadSweep,
    { provide: Uploads, inject: [Database], useFactory: (db: Database) => new Uploads(db) },
  ],
})
export class FilesModule {}
