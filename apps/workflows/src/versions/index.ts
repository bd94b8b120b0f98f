export { WorkflowReleases } from './releases.repository.js';
export { VersionsModule } from './versions.module.js';
export { WorkflowVersions } from './versions.repository.js';
