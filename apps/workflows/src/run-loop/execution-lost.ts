import { ApiError } from '@signalbox/contracts';

/**
 * An execution ended with its runner, or with the connection to it: an outage, which uses up no attempt of the run. A
 * run that loses its execution again and again, for a cause that may be its script, is given up by `MAX_LOST_EXECUTIONS`.
 */
export class ExecutionLost extends ApiError {
  constructor(
    message: string,
    /** The script cannot have caused it. */
    readonly isOutage: boolean,
  ) {
    super('unavailable', `the execution was lost: ${message}`);
  }
}
