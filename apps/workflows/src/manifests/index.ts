export { ManifestsModule } from './manifests.module.js';
