import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { ApiError } from '@signalbox/contracts';
import type { RequestContext } from '../request/index.js';
import { Authenticator } from './authenticator.js';

/** With the freshness of cached keys, less than 5 s in total. */
const CHECK_MS = 500;

interface WatchedReply {
  context: RequestContext;
  end: (error: ApiError) => void;
  isChecking: boolean;
}

/** Ends open streams whose key was revoked, has expired or has lost the scope, or whose company was deleted. */
@Injectable()
export class KeyWatch implements OnModuleInit, OnApplicationShutdown {
  private readonly open = new Set<WatchedReply>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly authenticator: Authenticator) {}

  onModuleInit(): void {
    this.timer = setInterval(() => this.open.forEach((reply) => void this.check(reply)), CHECK_MS);
  }

  /** After the open replies of a stopping process have ended. */
  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** Calls `end` once, with the error that a new call would get. Returns the function that stops the watch. */
  watch(context: RequestContext, end: (error: ApiError) => void): () => void {
    if (context.key === null) return () => undefined;
    const reply = { context, end, isChecking: false };
    this.open.add(reply);
    return () => void this.open.delete(reply);
  }

  private async check(reply: WatchedReply): Promise<void> {
    if (reply.isChecking) return;
    reply.isChecking = true;
    const refusal = await this.authenticator.refusalNow(reply.context);
    reply.isChecking = false;
    if (refusal && this.open.delete(reply)) reply.end(refusal);
  }
}
