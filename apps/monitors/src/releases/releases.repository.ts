import { Injectable } from '@nestjs/common';
import { ReleaseGateClient } from '@signalbox/clients';
import { Database, Releases } from '@signalbox/database';
import { MonitorChecks } from '../checks/index.js';
import { MONITOR_FAMILY } from '../versions/index.js';

/** The gate compares the newest check of a version. */
@Injectable()
export class MonitorReleases extends Releases {
  constructor(db: Database, checks: MonitorChecks, gate: ReleaseGateClient) {
    super(db, MONITOR_FAMILY, async (caller, monitorId, version, policy) =>
      gate.judgeCheck(caller, await checks.newest(caller.companyId, monitorId, version, policy.test_set_id), policy),
    );
  }
}
