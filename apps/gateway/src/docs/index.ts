export { DOCUMENT_PATHS } from './docs.controller.js';
export { DocsModule } from './docs.module.js';
