export { ObjectStore } from './object-store.js';
export { ObjectsModule } from './objects.module.js';
export { isWhole, KEY } from './object-key.js';
export { openObjectStore, backendOf } from './open-object-store.js';
export type { ObjectBackend } from './object-backend.js';
export { type CollectObjects, sweepObjects } from './object-sweep.js';
