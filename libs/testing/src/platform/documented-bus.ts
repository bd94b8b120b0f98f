import { BusClient, type WireReply } from '@signalbox/bus';
import { ApiError, type Caller, type Endpoint } from '@signalbox/contracts';
import { errorStatuses } from '@signalbox/openapi';

/** A public endpoint that refuses with an undocumented status fails the test. */
export class DocumentedBus extends BusClient {
  override async forward(endpoint: Endpoint, input: object, caller: Caller, signal?: AbortSignal): Promise<WireReply> {
    try {
      return await super.forward(endpoint, input, caller, signal);
    } catch (error) {
      const refused = error instanceof ApiError && endpoint.path !== null ? error : null;
      if (!refused || errorStatuses(endpoint, caller.idempotency !== undefined).includes(refused.status)) throw error;
      throw new Error(
        `${endpoint.contract}.${endpoint.name} answers ${refused.status}, which it does not document: ${refused.message}`,
        { cause: error },
      );
    }
  }
}
