import { ApiError } from '@signalbox/contracts';

export class RuleTooCostlyError extends ApiError {
  constructor({ label }: { label: string }, index: number, problem: string) {
    super('refused', `condition ${index} of the routing rule '${label}' cannot be evaluated: ${problem}`);
  }
}
