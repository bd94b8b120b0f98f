export { DraftParts } from './draft-parts.repository.js';
export { AgentReleases } from './releases.repository.js';
export { VersionsModule } from './versions.module.js';
export { AgentVersions } from './versions.repository.js';
