import { Injectable } from '@nestjs/common';
import { ReleaseGateClient } from '@signalbox/clients';
import { Database, Releases } from '@signalbox/database';
import { WORKFLOW_FAMILY } from './versions.repository.js';

@Injectable()
export class WorkflowReleases extends Releases {
  constructor(db: Database, gate: ReleaseGateClient) {
    super(db, WORKFLOW_FAMILY, (caller, consumer_id, version, policy) =>
      gate.judge(caller, { consumer_kind: 'WORKFLOW', consumer_id, version }, policy),
    );
  }
}
