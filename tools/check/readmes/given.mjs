// What the examples of READMEs take for granted: their imports, and the values that a reader of the example has.

const WIDGETS = `import { type Caller, type CallTo, consumption, defineContract, type EventEnvelope, type Handlers, Id, trafficEvents } from '@signalbox/contracts';
  class Widget { @Id() id!: number; }
  class WidgetPath { @Id() widget_id!: number; }
  const widgets = defineContract(
    { name: 'widgets', service: 'traffic', tag: 'Widgets' },
    { getWidget: { get: '/widgets/{widget_id}', summary: 'Get a widget', input: WidgetPath, output: Widget } },
  );`;

/** By lib. */
export const GIVEN = {
  bus: `${WIDGETS}
    import { type BusClient, Consumer, JobHandler, type JobWith, Serves } from '@signalbox/bus';
    import type { Tx } from '@signalbox/database';
    import { job } from '@signalbox/platform';
    declare class Widgets { get(companyId: number, id: number): Promise<Widget>; removeOf(tx: Tx, id: number): Promise<void>; sweep(companyId: number, id: number): Promise<void>; }
    const widgetJobs = { sweep: job('widget_sweep', { applicationId: 'int' }) };
    type Gone = InstanceType<(typeof trafficEvents)['declared']['application.deleted']['data']>;
    const widgetConsumers = { applicationDeleted: consumption(trafficEvents, 'application.deleted', 'widgets-deleted') };
    declare const bus: BusClient, caller: Caller;`,
  clients: `import type { CompanyProfiles, ReleaseGateClient } from '@signalbox/clients';
    import type { Caller, GatePolicy } from '@signalbox/contracts';
    declare const profiles: CompanyProfiles, gate: ReleaseGateClient, caller: Caller, policy: GatePolicy;`,
  conditions: `import { evaluateGroup, type SchemaChecker, type TextTests } from '@signalbox/conditions';
    import type { ConditionGroup } from '@signalbox/contracts';
    declare const schemas: SchemaChecker, tests: TextTests, group: ConditionGroup;
    declare const companyId: number, schema: object, value: object, values: object[], text: string;`,
  contracts: `import { defineContract, Id, Name } from '@signalbox/contracts';`,
  database: `import { CompanyRepository, type TenantRow } from '@signalbox/database';
    import type { Caller } from '@signalbox/contracts';
    interface WidgetRow extends TenantRow { enabled: boolean }
    type Widget = Pick<WidgetRow, 'id' | 'enabled'>;
    declare const enableWidget: (row: WidgetRow) => { set: { enabled: true }; events: [] };`,
  egress: `import { type Egress, SecretBag } from '@signalbox/egress';
    declare const egress: Egress;`,
  llm: `import { type CallContext, simulated, SIMULATED_MODEL } from '@signalbox/llm';
    declare const context: CallContext;`,
  objects: `import type { ObjectStore } from '@signalbox/objects';
    declare const store: ObjectStore, companyId: number, bytes: Buffer;`,
  openapi: `import { CONTRACTS } from '@signalbox/contracts';
    import { clientDocument, openApi } from '@signalbox/openapi';`,
  platform: `import { type GracefulStop, PROCESS_SETTINGS, readSettings, runService } from '@signalbox/platform';
    declare const startWidgets: (...given: unknown[]) => never;`,
  runs: `import { Injectable } from '@nestjs/common';
    import type { Emission } from '@signalbox/contracts';
    import type { Database } from '@signalbox/database';
    import type { Job } from '@signalbox/platform';
    import {
      type HeldRun, NOW, RUN_EVENTS, RUN_TRANSITIONS, runEvent, type RunKind, type RunNotifications, Runs,
      type RunSchema, type RunStatus, type RunTrigger, statesOf, type StoredRuns, storedRuns,
      type StreamSubscribers, tablesOf,
    } from '@signalbox/runs';
    interface RunningImport extends HeldRun { status: RunStatus; file_id: number }
    interface ImportRecord { id: string; status: RunStatus }
    declare const IMPORT_SCHEMA: RunSchema, job: Job, runs: ImportRuns;
    declare const importChanged: (record: ImportRecord) => Emission;`,
  scripts: `import type { ScriptHost, ScriptRunner } from '@signalbox/scripts';
    import type { Caller } from '@signalbox/contracts';
    declare const caller: Caller;
    declare const runner: ScriptRunner, script: string, signal: AbortSignal, lines: unknown[], events: unknown[];
    declare const callHost: (member: string, args: unknown[]) => Promise<unknown>;`,
  sdk: '',
  servers: `import { startPostgres } from '@signalbox/servers';`,
  testing: `import { Platform } from '@signalbox/testing';`,
};
