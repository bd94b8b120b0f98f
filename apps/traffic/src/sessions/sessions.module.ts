import { Module } from '@nestjs/common';
import { SessionClaims } from './session-claims.js';
import { Sessions } from './sessions.repository.js';

@Module({ providers: [SessionClaims, Sessions], exports: [SessionClaims, Sessions] })
export class SessionsModule {}
