export { newApplication, requireEnabled, slugOf } from './application.js';
export { ApplicationsModule } from './applications.module.js';
export { Applications, type CalledApplication } from './applications.repository.js';
