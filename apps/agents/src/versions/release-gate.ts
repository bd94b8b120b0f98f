import { Injectable } from '@nestjs/common';
import { BusClient, serviceCaller } from '@signalbox/bus';
import { ApiError, type Caller, type GatePolicy, releaseGates } from '@signalbox/contracts';
import type { GateVerdict } from '@signalbox/database';

const CALL_MS = 5000;

/** The gate of releases of agents: the newest test run of a version over the test set of the policy. */
@Injectable()
export class ReleaseGate {
  constructor(private readonly bus: BusClient) {}

  /** Judges a version; 503 when the service of test runs is down, 404 when the policy names no test set. */
  judge(caller: Caller, consumer_id: number, version: string, policy: GatePolicy): Promise<GateVerdict> {
    // A separate call, without the idempotency key of the caller.
    const own = serviceCaller(caller.companyId, Math.min(caller.deadline, Date.now() + CALL_MS));
    const input = { consumer_kind: 'AGENT' as const, consumer_id, version, policy };
    return this.bus.call(releaseGates.endpoints.judgeVersion, input, own).catch(unavailable);
  }
}

/** A gate that cannot be asked is never passed. */
function unavailable(error: unknown): never {
  const late = error instanceof ApiError && error.kind === 'timeout';
  throw late ? new ApiError('unavailable', 'the gate of the release cannot be judged now', { retryAfter: 1 }) : error;
}
