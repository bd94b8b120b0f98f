export { FinetuningModule } from './finetuning.module.js';
