import { Injectable } from '@nestjs/common';
import { BusClient } from '@signalbox/bus';
import { agentLinks, type Caller, conflict, monitorLinks, workflowLinks } from '@signalbox/contracts';

/** A gate policy set between this check and the deletion keeps the id of the deleted set: its gate never passes. */
@Injectable()
export class TestSetUses {
  constructor(private readonly bus: BusClient) {}

  async refuse(caller: Caller, test_set_id: number): Promise<void> {
    const gated = { test_set_id };
    const replies = await Promise.all([
      this.bus.call(agentLinks.endpoints.listGatedReleases, gated, caller),
      this.bus.call(monitorLinks.endpoints.listGatedReleases, gated, caller),
      this.bus.call(workflowLinks.endpoints.listGatedReleases, gated, caller),
    ]);
    const releases = replies.flatMap((reply) => reply.releases);
    const total = replies.reduce((sum, reply) => sum + reply.total, 0);
    if (total === 0) return;
    throw conflict(
      `the test set is named by the gate policies of ${total} releases`,
      releases.map(({ parent_type, parent_id, name }) => ({
        field: 'gate_policy',
        message: `release ${name} of ${parent_type} ${parent_id} names the test set`,
      })),
    );
  }
}
