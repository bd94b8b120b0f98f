import { Module } from '@nestjs/common';
import { GroupTestSetHandlers } from './group-sets.handlers.js';
import { OpenRuns } from './open-runs.repository.js';
import { TestSetCopies } from './set-copies.repository.js';
import { TestSetDeletion } from './set-deletion.js';
import { TestSetUses } from './set-uses.js';
import { TestSetHandlers } from './sets.handlers.js';
import { TestSets } from './sets.repository.js';

@Module({
  controllers: [TestSetHandlers, GroupTestSetHandlers],
  providers: [OpenRuns, TestSetCopies, TestSetDeletion, TestSets, TestSetUses],
  exports: [TestSetDeletion, TestSets],
})
export class SetsModule {}
