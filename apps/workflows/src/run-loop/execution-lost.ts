import { ApiError } from '@signalbox/contracts';

/**
 * An execution ended with its runner, or with the connection to it: an outage, which uses up no attempt of the run. A
 * run that loses its execution again and again is given up by `MAX_LOST_EXECUTIONS`.
 */
export class ExecutionLost extends ApiError {
  constructor(message: string) {
    super('unavailable', `the execution was lost: ${message}`);
  }
}
