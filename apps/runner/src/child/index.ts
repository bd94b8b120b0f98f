export {
  encodeFrame,
  type Frame,
  FrameReader,
  type FromChild,
  LENGTH_BYTES,
  MAX_EVENT_BYTES,
  MAX_MESSAGE_LENGTH,
  type ToChild,
} from './frames.js';
