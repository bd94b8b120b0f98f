import { Injectable } from '@nestjs/common';
import { Database, Releases } from '@signalbox/database';
import { noTestRun } from './gate.js';
import { AGENT_FAMILY } from './versions.repository.js';

/** Releases of agents. */
@Injectable()
export class AgentReleases extends Releases {
  constructor(db: Database) {
    super(db, AGENT_FAMILY, () => Promise.resolve(noTestRun()));
  }
}
