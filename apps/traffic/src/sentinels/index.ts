export { SentinelsModule } from './sentinels.module.js';
