export { ReleaseTools } from './release-tools.js';
