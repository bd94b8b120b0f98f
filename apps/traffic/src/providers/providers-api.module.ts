import { Module } from '@nestjs/common';
import { CallTargetChangesModule } from '../call-target-changes/index.js';
import { ProviderHandlers } from './providers.handlers.js';
import { ProvidersModule } from './providers.module.js';

@Module({ imports: [CallTargetChangesModule, ProvidersModule], controllers: [ProviderHandlers] })
export class ProvidersApiModule {}
