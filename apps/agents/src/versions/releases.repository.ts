import { Injectable } from '@nestjs/common';
import { ReleaseGateClient } from '@signalbox/clients';
import { Database, Releases } from '@signalbox/database';
import { Agents } from '../drafts/index.js';
import { AGENT_FAMILY } from './versions.repository.js';

@Injectable()
export class AgentReleases extends Releases {
  constructor(db: Database, gate: ReleaseGateClient, agents: Agents) {
    super(db, AGENT_FAMILY, async (caller, consumer_id, version, policy) => {
      const isExternal = (await agents.kindOf(caller.companyId, consumer_id)) === 'EXTERNAL';
      return gate.judge(caller, { consumer_kind: isExternal ? 'EXTERNAL' : 'AGENT', consumer_id, version }, policy);
    });
  }
}
