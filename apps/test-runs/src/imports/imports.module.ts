import { Module } from '@nestjs/common';
import { ItemsModule } from '../items/index.js';
import { SetsModule } from '../sets/index.js';
import { BulkImports } from './bulk-import.js';
import { ImportSources } from './import-sources.js';
import { ImportHandlers } from './imports.handlers.js';
import { Imports } from './imports.repository.js';

@Module({
  imports: [ItemsModule, SetsModule],
  controllers: [ImportHandlers],
  providers: [BulkImports, Imports, ImportSources],
  exports: [BulkImports],
})
export class ImportsModule {}
