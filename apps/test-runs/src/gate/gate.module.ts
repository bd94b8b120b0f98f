import { Module } from '@nestjs/common';
import { GatedRuns } from './gated-runs.repository.js';
import { ReleaseGateHandlers } from './release-gates.handlers.js';

@Module({ controllers: [ReleaseGateHandlers], providers: [GatedRuns] })
export class GateModule {}
