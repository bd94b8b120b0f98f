export { MAX_OBJECT_BYTES, ObjectStore, ObjectStoreDown } from './object-store.js';
export { openObjectStore } from './open-object-store.js';
export { storeProbe } from './store-probe.js';
