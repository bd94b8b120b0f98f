import { ApiError } from '@signalbox/contracts';

/**
 * The runner of an execution, or the connection to it, failed: an outage, which uses up no attempt of the run. Runs
 * that repeatedly lose their execution, perhaps because of their script, end after `MAX_LOST_EXECUTIONS`.
 */
export class ExecutionLost extends ApiError {
  constructor(
    message: string,
    /** The script cannot be the cause. */
    readonly isOutage: boolean,
  ) {
    super('unavailable', `the execution was lost: ${message}`);
  }
}
