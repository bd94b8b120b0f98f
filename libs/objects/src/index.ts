export { ObjectStore } from './object-store.js';
export { ObjectsModule } from './objects.module.js';
export { openObjectStore } from './open-object-store.js';
export { type CollectObjects, sweepObjects } from './object-sweep.js';
