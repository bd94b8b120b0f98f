export { fileText, type FileShape, jsonlLine } from './file-text.js';
export { FilesModule } from './files.module.js';
