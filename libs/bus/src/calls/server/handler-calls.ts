import type { MessageHandler } from '@nestjs/microservices';
import { type Call, type Chunks, type Endpoint, JsonText } from '@signalbox/contracts';
import type { GracefulStop, IdempotencyStore } from '@signalbox/platform';
import { lastValueFrom, type Observable } from 'rxjs';
import type { BusConnection } from '../../connection.js';
import type { Answer } from './answer.js';
import { Idempotency } from './idempotency.js';
import { ReturnedCalls } from '../../resume/returned-calls.js';
import { WithHeaders } from './serves.js';

export class HandlerCalls {
  private readonly idempotency: Idempotency | undefined;
  private readonly returned: ReturnedCalls;

  constructor(store: IdempotencyStore | undefined, stop: GracefulStop, connection: BusConnection | null) {
    if (store) this.idempotency = new Idempotency(store);
    this.returned = new ReturnedCalls(stop, connection);
  }

  answer(handler: MessageHandler, endpoint: Endpoint, received: Call<object>): Promise<Answer> {
    const call = withOwnClaim(endpoint, received);
    const handle = async (claimed: Call<object>): Promise<Answer> =>
      toAnswer(await this.returned.result(endpoint, run(handler, claimed)));
    return call.caller.idempotency && this.idempotency ? this.idempotency.around(endpoint, call, handle) : handle(call);
  }

  chunks(handler: MessageHandler, endpoint: Endpoint, call: Call<object>): Promise<Chunks> {
    const handle = async (received: Call<object>): Promise<Chunks> =>
      this.returned.chunks(endpoint, (await run(handler, received)) as Chunks);
    return call.caller.idempotency && this.idempotency ? this.idempotency.aroundChunks(call, handle) : handle(call);
  }
}

/** Adds the claim that an endpoint with `onceBy` derives from a field that is unique to the call. */
function withOwnClaim({ onceBy, name }: Endpoint, call: Call<object>): Call<object> {
  const key = onceBy === undefined ? undefined : (call.input as Record<string, unknown>)[onceBy];
  if (typeof key !== 'string') return call;
  return { ...call, caller: { ...call.caller, idempotency: { key, route: name, bodyHash: '' } } };
}

export async function run(handler: MessageHandler, data: unknown): Promise<unknown> {
  const result: unknown = await handler(data, undefined as never);
  return result !== null && typeof result === 'object' && 'subscribe' in result
    ? lastValueFrom(result as Observable<unknown>)
    : result;
}

function toAnswer(result: unknown): Answer {
  if (result instanceof WithHeaders) return { text: toAnswer(result.body).text, headers: result.headers };
  return { text: result instanceof JsonText ? result.text : (JSON.stringify(result) ?? 'null') };
}
