import { createHash } from 'node:crypto';
import { foldedInput, type TrainingMessage } from '@signalbox/contracts';

/** Identifies the input of a row; equal for inputs that differ in whitespace only. */
export const inputHash = (messages: readonly TrainingMessage[]): string =>
  createHash('sha256').update(foldedInput(messages)).digest('hex');
