import { Module } from '@nestjs/common';
import { Agents } from './agents.repository.js';
import { Drafts } from './drafts.repository.js';

/** Drafts of agents with all of their parts, as they are stored. */
@Module({
  providers: [Agents, Drafts],
  exports: [Agents, Drafts],
})
export class DraftsModule {}
