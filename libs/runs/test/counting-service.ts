// A process that executes countings, started by the tests.
import 'reflect-metadata';
import { type DynamicModule, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { BusModule } from '@signalbox/bus';
import { DatabaseModule } from '@signalbox/database';
import { createLogger, loggerModule } from '@signalbox/platform';
import { RunNotifications, runProviders, RunWorkSettings, StreamSubscribers } from '@signalbox/runs';
import { COUNTING_RUNS, Countings, CountingSteps } from './counting.js';

/** Connection settings of the service. */
export interface Urls {
  bus: string;
  url: string;
  workerUrl: string;
}

/** A lost worker is replaced after this time. */
const LEASE_MS = 3000;

/** The service of countings; without workers it only accepts, cancels and reads them. */
@Module({})
export class CountingService {
  static with({ bus, url, workerUrl }: Urls, works: boolean): DynamicModule {
    return {
      module: CountingService,
      imports: [
        loggerModule(createLogger('tester', 'silent')),
        BusModule.forService({ name: 'tester', url: bus, database: true }),
        DatabaseModule.forService({ service: 'tester', entities: [], url, workerUrl }),
      ],
      providers: works
        ? runProviders([COUNTING_RUNS], new RunWorkSettings(undefined, LEASE_MS))
        : [RunNotifications, StreamSubscribers, Countings],
    };
  }
}

async function main(): Promise<void> {
  const urls = JSON.parse(process.env.URLS ?? '') as Urls;
  const app = await NestFactory.createApplicationContext(CountingService.with(urls, true), { logger: false });
  app.get(CountingSteps).hookOpened = (key) => process.send?.(key);
  app.enableShutdownHooks(['SIGTERM']);
  process.send?.('ready');
}

if (process.send && process.env.URLS) await main();
