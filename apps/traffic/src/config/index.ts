export { ConfigLayers } from './config-layers.repository.js';
export { inherited, type Overrides, overridesOf, unmetNeeds } from './config.js';
export { ConfigModule } from './config.module.js';
export { Configs, type ConfigTarget } from './configs.js';
