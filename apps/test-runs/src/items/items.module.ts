import { Module } from '@nestjs/common';
import { SetsModule } from '../sets/index.js';
import { ItemInputPages } from './item-inputs.repository.js';
import { TestSetItemHandlers } from './items.handlers.js';
import { TestSetItems } from './items.repository.js';
import { TestSetInputHandlers } from './test-set-inputs.handlers.js';

@Module({
  imports: [SetsModule],
  controllers: [TestSetItemHandlers, TestSetInputHandlers],
  providers: [ItemInputPages, TestSetItems],
  exports: [TestSetItems],
})
export class ItemsModule {}
