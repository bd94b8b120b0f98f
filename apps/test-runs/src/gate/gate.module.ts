import { Module } from '@nestjs/common';
import { GatedRuns } from './gated-runs.repository.js';
import { ReleaseGateHandlers } from './release-gates.handlers.js';

/** The verdict behind a release gate. */
@Module({ controllers: [ReleaseGateHandlers], providers: [GatedRuns] })
export class GateModule {}
