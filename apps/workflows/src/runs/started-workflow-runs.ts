import { Injectable } from '@nestjs/common';
import type { JsonText, WorkflowRun } from '@signalbox/contracts';
import { StartedRuns } from '@signalbox/runs';
import type { RunningRun } from './running-run.js';

/** Runs that this process started in the transaction that accepted them. */
@Injectable()
export class StartedWorkflowRuns extends StartedRuns<RunningRun, JsonText<WorkflowRun>> {}
