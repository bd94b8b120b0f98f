import { ApiError } from '@signalbox/contracts';

/** A condition of a rule takes too long on a text, or the text is too long for it (422). */
export class RuleTooCostlyError extends ApiError {
  constructor({ label }: { label: string }, index: number, problem: string) {
    super('refused', `condition ${index} of the routing rule '${label}' cannot be evaluated: ${problem}`);
  }
}
