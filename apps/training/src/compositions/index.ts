export { CompositionRow } from './composition.entity.js';
export { CompositionsModule } from './compositions.module.js';
export { Compositions } from './compositions.repository.js';
export type { Mix, MixedRow } from './mix.js';
export { Mixes } from './mixes.js';
