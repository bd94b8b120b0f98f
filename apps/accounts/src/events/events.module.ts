import { Module } from '@nestjs/common';
import { EventFeedHandlers } from './event-feed.handlers.js';
import { EventLog } from './event-log.js';

@Module({
  controllers: [EventFeedHandlers],
  providers: [EventLog],
})
export class EventsModule {}
