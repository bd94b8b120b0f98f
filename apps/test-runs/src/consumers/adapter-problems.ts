import type { FieldProblem } from '@signalbox/contracts';

const MAX_TEXT = 4000;

export const problemsText = (errors: readonly FieldProblem[]): string | null =>
  errors.length === 0
    ? null
    : errors
        .map(({ field, message }) => `${field} ${message}`)
        .join('; ')
        .slice(0, MAX_TEXT);
