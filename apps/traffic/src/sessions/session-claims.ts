import { Injectable, type OnModuleInit } from '@nestjs/common';
import { BusConnection } from '@signalbox/bus';
import { ApiError } from '@signalbox/contracts';
import { LRUCache } from 'lru-cache';
import { Sessions } from './sessions.repository.js';

const MAX_KNOWN = 50_000;
const DELETED = 'broadcast.sessions';

interface Claim {
  applicationId: number | null;
}

/** Binds each session to the application that used it first. */
@Injectable()
export class SessionClaims implements OnModuleInit {
  private readonly known = new LRUCache<string, Claim>({ max: MAX_KNOWN });

  constructor(
    private readonly sessions: Sessions,
    private readonly bus: BusConnection,
  ) {}

  onModuleInit(): void {
    this.bus.listen(DELETED, (payload) => this.known.delete(Buffer.from(payload).toString()));
  }

  /** Throws 409 `session_application_mismatch`. While Postgres is unreachable, sessions are claimed later. */
  async claim(companyId: number, sessionId: string, applicationId: number | null): Promise<void> {
    const key = keyOf(companyId, sessionId);
    const known = this.known.get(key);
    const holder = known ? known.applicationId : await this.ask(companyId, sessionId, applicationId);
    if (holder === undefined) return;
    if (holder !== applicationId)
      throw new ApiError('conflict', `session ${sessionId} belongs to another application`, {
        code: 'session_application_mismatch',
      });
    this.known.set(key, { applicationId: holder });
  }

  /** Releases a deleted session in every process that makes calls. */
  forget(companyId: number, sessionId: string): void {
    const key = keyOf(companyId, sessionId);
    this.known.delete(key);
    this.bus.announce(DELETED, key);
  }

  /** Undefined while the session cannot be read; nothing is cached then. */
  private async ask(companyId: number, sessionId: string, applicationId: number | null) {
    try {
      return await this.sessions.open(companyId, sessionId, applicationId);
    } catch (error) {
      if (error instanceof ApiError && error.kind === 'unavailable') return undefined;
      throw error;
    }
  }
}

const keyOf = (companyId: number, sessionId: string): string => `${companyId} ${sessionId}`;
