import { Module } from '@nestjs/common';
import { BusClient, BusConnection } from '@signalbox/bus';
import { CompanyProfiles } from '@signalbox/clients';
import { EvaluationModule } from '@signalbox/conditions';
import { BusScriptRunner, ScriptRunner } from '@signalbox/scripts';
import { StepsModule } from '../steps/index.js';
import { Judges } from './judges.js';
import { ScriptScorer } from './script-scorer.js';

@Module({
  imports: [EvaluationModule, StepsModule],
  providers: [
    CompanyProfiles,
    Judges,
    ScriptScorer,
    {
      provide: ScriptRunner,
      inject: [BusClient, BusConnection],
      useFactory: (bus: BusClient, connection: BusConnection) => new BusScriptRunner(bus, connection),
    },
  ],
  exports: [Judges, ScriptScorer],
})
export class JudgingModule {}
