export { BuiltIns } from './built-ins.repository.js';
export { callContext } from './call-context.js';
export { EGRESS_ALLOW } from './egress-allow.js';
export { ProviderClients } from './provider-clients.js';
export { ProviderSeal } from './provider-seal.js';
export { ProviderRow } from './provider.entity.js';
export { requireOwn } from './provider.js';
export { ProvidersModule } from './providers.module.js';
export { type ProviderAccess, Providers } from './providers.repository.js';
