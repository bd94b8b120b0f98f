import { Injectable } from '@nestjs/common';
import { ReleaseGate } from '@signalbox/bus';
import { Database, Releases } from '@signalbox/database';
import { AGENT_FAMILY } from './versions.repository.js';

@Injectable()
export class AgentReleases extends Releases {
  constructor(db: Database, gate: ReleaseGate) {
    super(db, AGENT_FAMILY, (caller, consumer_id, version, policy) =>
      gate.judge(caller, { consumer_kind: 'AGENT', consumer_id, version }, policy),
    );
  }
}
