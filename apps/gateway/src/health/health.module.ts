import { Module } from '@nestjs/common';
import { RepliesModule } from '../replies/index.js';
import { StreamsModule } from '../streams/index.js';
import { HealthController } from './health.controller.js';
import { Readiness } from './readiness.js';
import { Shutdown } from './shutdown.js';

@Module({ imports: [RepliesModule, StreamsModule], controllers: [HealthController], providers: [Readiness, Shutdown] })
export class HealthModule {}
