import { Module } from '@nestjs/common';
import { BusClient, BusConnection } from '@signalbox/bus';
import { EvaluationModule } from '@signalbox/conditions';
import { BusScriptRunner, ScriptRunner } from '@signalbox/scripts';
import { StoredObjectsModule } from '../stored-objects/index.js';
import { ScriptChecks } from './script-checks.js';
import { ScriptTexts } from './script-texts.js';

@Module({
  imports: [EvaluationModule, StoredObjectsModule],
  providers: [
    ScriptChecks,
    ScriptTexts,
    {
      provide: ScriptRunner,
      inject: [BusClient, BusConnection],
      useFactory: (bus: BusClient, connection: BusConnection) => new BusScriptRunner(bus, connection),
    },
  ],
  exports: [ScriptChecks, ScriptRunner, ScriptTexts],
})
export class ScriptsModule {}
