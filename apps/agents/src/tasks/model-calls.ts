import { Injectable } from '@nestjs/common';
import { BusClient } from '@signalbox/bus';
import { ApiError, chat, type ChatCall, type ChatResult } from '@signalbox/contracts';
import { abortable, pause } from './abortable.js';
import { ownCaller } from './company-egress.js';

/** A call lasts at most this long, tries of the provider included. */
const CALL_MS = 150_000;
/** How long a service that is down may take to come back. */
const DOWN_MS = 30_000;
const FIRST_PAUSE_MS = 200;

/** Calls models through the service that owns them; a restart of that service is waited for. */
@Injectable()
export class ModelCalls {
  constructor(private readonly bus: BusClient) {}

  async complete(companyId: number, call: ChatCall, signal: AbortSignal): Promise<ChatResult> {
    const giveUp = Date.now() + DOWN_MS;
    for (let wait = FIRST_PAUSE_MS; ; wait = Math.min(wait * 2, 4000)) {
      try {
        const caller = ownCaller(companyId, Date.now() + CALL_MS);
        return await abortable(this.bus.call(chat.endpoints.complete, call, caller), signal);
      } catch (error) {
        const down = error instanceof ApiError && error.kind === 'unavailable';
        if (!down || Date.now() > giveUp) throw error;
        await pause(wait * (0.5 + Math.random() / 2), signal);
      }
    }
  }
}
