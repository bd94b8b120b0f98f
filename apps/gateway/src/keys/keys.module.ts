import { Module } from '@nestjs/common';
import { LimitsModule } from '../limits/index.js';
import { ApiKeyGuard } from './api-key.guard.js';
import { ApiKeyResolver } from './api-key-resolver.js';
import { Authenticator } from './authenticator.js';
import { KeyWatch } from './key-watch.js';
import { ScopeGuard } from './scope.guard.js';

@Module({
  imports: [LimitsModule],
  providers: [ApiKeyGuard, ApiKeyResolver, Authenticator, KeyWatch, ScopeGuard],
  exports: [ApiKeyGuard, Authenticator, KeyWatch, ScopeGuard],
})
export class KeysModule {}
