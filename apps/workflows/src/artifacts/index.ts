export { ArtifactContents, type StoredContent } from './artifact-contents.repository.js';
export { ArtifactPartRow, ObjectSweepRow } from './artifact-part.entity.js';
export { ArtifactRow } from './artifact.entity.js';
export { ArtifactsModule } from './artifacts.module.js';
export { Artifacts, type NewArtifact } from './artifacts.repository.js';
export { bytesOfBase64 } from './base64.js';
