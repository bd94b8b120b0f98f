export { BodiesModule } from './bodies.module.js';
export { BodyPipe } from './body.pipe.js';
export { BodyReader } from './body-reader.js';
export { parseBody } from './json-body.js';
export { unreadBodyOf } from './unread-body.js';
export { UploadedBody } from './upload-slots.js';
