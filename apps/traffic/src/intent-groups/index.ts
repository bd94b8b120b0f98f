export { newIntentGroup, updateIntentGroup } from './intent-group.js';
export { IntentGroupsModule } from './intent-groups.module.js';
export { IntentGroups } from './intent-groups.repository.js';
