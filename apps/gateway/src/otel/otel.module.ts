import { Module } from '@nestjs/common';
import { BodiesModule } from '../bodies/index.js';
import { OtelController } from './otel.controller.js';

@Module({ imports: [BodiesModule], controllers: [OtelController] })
export class OtelModule {}
