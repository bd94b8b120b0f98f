export { jsonlFile } from './dataset-files.handlers.js';
export { FilesModule } from './files.module.js';
