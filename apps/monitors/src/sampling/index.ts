export { SamplingModule } from './sampling.module.js';
