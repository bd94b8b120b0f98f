export type { PartKeys } from './offloaded-objects.repository.js';
export { PayloadOffload } from './payload-offload.js';
export { PayloadOffloadModule } from './payload-offload.module.js';
