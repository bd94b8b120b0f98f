import { Module } from '@nestjs/common';
import { Database, Uploads } from '@signalbox/database';
import { ItemsModule } from '../items/index.js';
import { SetsModule } from '../sets/index.js';
import { FileExports } from './file-export.repository.js';
import { FileImports } from './file-import.repository.js';
import { TestSetFileHandlers } from './files.handlers.js';
import { UploadSweep } from './upload-sweep.worker.js';

@Module({
  imports: [ItemsModule, SetsModule],
  controllers: [TestSetFileHandlers],
  providers: [
    { provide: Uploads, inject: [Database], useFactory: (db: Database) => new Uploads(db) },
    FileExports,
    FileImports,
    UploadSweep,
  ],
})
export class FilesModule {}
