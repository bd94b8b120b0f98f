export {
  encodeFrame,
  type Frame,
  FrameReader,
  type FromChild,
  LENGTH_BYTES,
  MAX_EVENT_BYTES,
  type ToChild,
} from './frames.js';
