import { Module } from '@nestjs/common';
import { CallTargetsModule } from '../call-targets/index.js';
import { RequestReadsModule } from '../request-reads/index.js';
import { ChatHandlers } from './chat.handlers.js';
import { ChatModule } from './chat.module.js';
import { RepeatedCalls } from './repeated-calls.js';

@Module({
  imports: [CallTargetsModule, ChatModule, RequestReadsModule],
  controllers: [ChatHandlers],
  providers: [RepeatedCalls],
})
export class ChatApiModule {}
