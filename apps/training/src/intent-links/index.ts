export { IntentLinksModule } from './intent-links.module.js';
