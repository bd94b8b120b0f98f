import { Module } from '@nestjs/common';
import { ApiKeyHandlers } from './api-keys.handlers.js';
import { ApiKeys } from './api-keys.repository.js';

@Module({
  controllers: [ApiKeyHandlers],
  providers: [ApiKeys],
  exports: [ApiKeys],
})
export class ApiKeysModule {}
