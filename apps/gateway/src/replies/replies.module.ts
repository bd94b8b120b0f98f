import { Module } from '@nestjs/common';
import { GATEWAY_SETTINGS, type GatewaySettings } from '../settings.js';
import { AccessLog } from './access-log.js';
import { ApiExceptionFilter } from './api-exception.filter.js';
import { Cors } from './cors.js';
import { Draining } from './draining.js';
import { ReplySender } from './reply-sender.js';
import { ResponseWriter } from './response-writer.js';

@Module({
  providers: [
    AccessLog,
    ApiExceptionFilter,
    {
      provide: Cors,
      inject: [GATEWAY_SETTINGS],
      useFactory: (settings: GatewaySettings) => new Cors(settings.CORS_ORIGINS),
    },
    Draining,
    ReplySender,
    ResponseWriter,
  ],
  exports: [ApiExceptionFilter, Cors, Draining, ResponseWriter],
})
export class RepliesModule {}
