import { Module } from '@nestjs/common';
import { SessionClaims } from './session-claims.js';
import { Sessions } from './sessions.repository.js';

/** The sessions of calls as they are recorded. */
@Module({ providers: [SessionClaims, Sessions], exports: [SessionClaims, Sessions] })
export class SessionsModule {}
