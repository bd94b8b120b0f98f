import { Module } from '@nestjs/common';
import { Drafts } from './drafts.repository.js';
import { NestedRefs } from './nested-refs.repository.js';
import { Workflows } from './workflows.repository.js';

@Module({
  providers: [Drafts, NestedRefs, Workflows],
  exports: [Drafts, NestedRefs, Workflows],
})
export class DraftsModule {}
