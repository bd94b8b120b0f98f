import type { FailureClass } from '@signalbox/contracts';
import type { Span } from '../otlp/span.js';
import { nameOf, textIn } from './attributes.js';

export function failureOf(span: Span): { failure_class: FailureClass | null; error_message: string | null } {
  if (span.error === null) return { failure_class: null, error_message: null };
  const exception = span.events.find(({ name }) => name === 'exception')?.attributes ?? {};
  const type = textIn(span, 'error_type') ?? nameOf(exception['exception.type']) ?? '';
  const said = [span.error, exception['exception.message'], type].find(
    (each) => typeof each === 'string' && each !== '',
  );
  const message = typeof said === 'string' ? said.slice(0, 4000).toWellFormed() : 'the span failed';
  const isTimeout = /time(d)?[ _-]?out|deadline/i.test(`${type} ${message}`);
  return { failure_class: isTimeout ? 'timeout' : 'internal', error_message: message };
}
