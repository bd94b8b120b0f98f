import { Module } from '@nestjs/common';
import { EventFeedHandlers } from './event-feed.handlers.js';
import { EventLog } from './event-log.js';

/** Events of a company as clients subscribe to them. */
@Module({
  controllers: [EventFeedHandlers],
  providers: [EventLog],
})
export class EventsModule {}
