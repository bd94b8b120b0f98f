import { Injectable } from '@nestjs/common';
import {
  ApiError,
  type Caller,
  type GatePolicy,
  type InputOf,
  releaseGates,
  type ReleaseVerdict,
} from '@signalbox/contracts';
import { BusClient } from '../calls/client.js';
import { serviceCaller } from '../calls/service-caller.js';

const CALL_MS = 5000;

type Consumer = Pick<InputOf<typeof releaseGates.endpoints.judgeVersion>, 'consumer_kind' | 'consumer_id' | 'version'>;

/** The gate of releases: the newest test run of a version over the test set of the policy. */
@Injectable()
export class ReleaseGate {
  constructor(private readonly bus: BusClient) {}

  /** Judges a version; 503 when the service of test runs is down, 404 when the policy names no test set. */
  judge(caller: Caller, consumer: Consumer, policy: GatePolicy): Promise<ReleaseVerdict> {
    // A separate call, without the idempotency key of the caller.
    const own = serviceCaller(caller.companyId, Math.min(caller.deadline, Date.now() + CALL_MS));
    return this.bus.call(releaseGates.endpoints.judgeVersion, { ...consumer, policy }, own).catch(unavailable);
  }
}

/** A gate that cannot be asked is never passed. */
function unavailable(error: unknown): never {
  const late = error instanceof ApiError && error.kind === 'timeout';
  throw late ? new ApiError('unavailable', 'the gate of the release cannot be judged now', { retryAfter: 1 }) : error;
}
