export { StoredObjectsModule } from './stored-objects.module.js';
export { StoredObjects } from './stored-objects.repository.js';
