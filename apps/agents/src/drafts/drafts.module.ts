import { Module } from '@nestjs/common';
import { Agents } from './agents.repository.js';
import { Drafts } from './drafts.repository.js';

@Module({
  providers: [Agents, Drafts],
  exports: [Agents, Drafts],
})
export class DraftsModule {}
