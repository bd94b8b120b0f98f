export { activityOf, usedBy } from './activity.view.js';
