export { ReleasesModule } from './releases.module.js';
export { MonitorReleases } from './releases.repository.js';
