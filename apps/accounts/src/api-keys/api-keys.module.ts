import { Module } from '@nestjs/common';
import { ApiKeyHandlers } from './api-keys.handlers.js';
import { ApiKeys } from './api-keys.repository.js';

/** API keys of companies. */
@Module({
  controllers: [ApiKeyHandlers],
  providers: [ApiKeys],
  exports: [ApiKeys],
})
export class ApiKeysModule {}
