export { CompanyProfiles } from './company-profiles.js';
export { ReleaseGateClient } from './release-gate-client.js';
