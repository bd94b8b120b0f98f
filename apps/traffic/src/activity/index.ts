export { activityOf } from './recorded-activity.sql.js';
