export { encodeFrame, type Frame, FrameReader, type FromChild, LENGTH_BYTES, type ToChild } from './frames.js';
