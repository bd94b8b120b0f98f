import { Injectable } from '@nestjs/common';
import { BusClient, serviceCaller } from '@signalbox/bus';
import {
  ApiError,
  type Caller,
  type GatePolicy,
  type InputOf,
  releaseGates,
  type ReleaseVerdict,
} from '@signalbox/contracts';

type Consumer = Pick<InputOf<typeof releaseGates.endpoints.judgeVersion>, 'consumer_kind' | 'consumer_id' | 'version'>;
type Check = InputOf<typeof releaseGates.endpoints.judgeCheck>['check'];

/** Judges by the newest test run of a version over the test set of the policy. */
@Injectable()
export class ReleaseGateClient {
  constructor(private readonly bus: BusClient) {}

  /** 503 when the service of test runs is down, 404 when the policy names no test set. */
  judge(caller: Caller, consumer: Consumer, policy: GatePolicy): Promise<ReleaseVerdict> {
    return this.bus
      .call(releaseGates.endpoints.judgeVersion, { ...consumer, policy }, ownCall(caller))
      .catch(unavailable);
  }

  judgeCheck(caller: Caller, check: Check, policy: GatePolicy): Promise<ReleaseVerdict> {
    return this.bus.call(releaseGates.endpoints.judgeCheck, { check, policy }, ownCall(caller)).catch(unavailable);
  }
}

/** Without the idempotency key of the caller. */
const ownCall = ({ companyId, deadline }: Caller): Caller => serviceCaller(companyId, deadline);

/** Fails closed. */
function unavailable(error: unknown): never {
  const late = error instanceof ApiError && error.kind === 'timeout';
  throw late ? new ApiError('unavailable', 'the gate of the release cannot be judged now', { retryAfter: 1 }) : error;
}
