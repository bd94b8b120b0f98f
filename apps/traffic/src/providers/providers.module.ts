import { Module } from '@nestjs/common';
import { BuiltIns } from './built-ins.repository.js';
import { ProviderClients } from './provider-clients.js';
import { Providers } from './providers.repository.js';

@Module({ providers: [BuiltIns, ProviderClients, Providers], exports: [BuiltIns, ProviderClients, Providers] })
export class ProvidersModule {}
