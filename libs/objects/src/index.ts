export { ObjectStore } from './object-store.js';
export { ObjectsModule } from './objects.module.js';
export { isWhole, KEY } from './object-key.js';
export { openObjectStore, placeOf } from './open-object-store.js';
export type { Place } from './place.js';
export { type CollectObjects, sweepObjects } from './object-sweep.js';
