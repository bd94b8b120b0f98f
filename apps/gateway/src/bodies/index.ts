export { BodiesModule } from './bodies.module.js';
export { BodyPipe } from './body.pipe.js';
export { BodyReader, SMALL_BYTES } from './body-reader.js';
export { parseBody, requirePlain } from './json-body.js';
export { unreadBodyOf } from './unread-body.js';
export { UploadedBody } from './upload-slots.js';
