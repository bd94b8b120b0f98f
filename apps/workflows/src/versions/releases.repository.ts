import { Injectable } from '@nestjs/common';
import { Database, Releases } from '@signalbox/database';
import { noTestRun } from './gate.js';
import { WORKFLOW_FAMILY } from './versions.repository.js';

/** Releases of workflows. */
@Injectable()
export class WorkflowReleases extends Releases {
  constructor(db: Database) {
    super(db, WORKFLOW_FAMILY, () => Promise.resolve(noTestRun()));
  }
}
