import { Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { BusModule, Consumer } from '@signalbox/bus';
import type { Consumption } from '@signalbox/contracts';
import { DatabaseModule, type Tx } from '@signalbox/database';
import { createLogger, loggerModule, nestLogger } from '@signalbox/platform';

export interface Numbered {
  n: number;
  resource_type?: string;
  resource_id?: number;
  /** Its effect ends the process, as too little memory would. */
  kills?: boolean;
  seconds?: number;
}
export const numbers: Consumption<Numbered> = { durable: 'tester-numbers', filter: 'events.*.number.written' };
export const slowNumbers: Consumption<Numbered> = { durable: 'tester-slow-numbers', filter: 'events.*.number.painted' };
export const manyNumbers: Consumption<Numbered> = { durable: 'tester-many-numbers', filter: 'events.*.number.counted' };

export interface ProcessSettings {
  busUrl: string;
  databaseUrl: string;
  workerUrl: string;
}

@Injectable()
class Listener {
  @Consumer(numbers)
  async write(event: Numbered, tx: Tx): Promise<void> {
    await insert(tx, event);
    if (event.kills) process.kill(process.pid, 'SIGKILL');
  }

  @Consumer(slowNumbers)
  paint(event: Numbered, tx: Tx): Promise<void> {
    return slowly(event, tx);
  }

  @Consumer(manyNumbers)
  count(event: Numbered, tx: Tx): Promise<void> {
    return slowly(event, tx);
  }
}

async function slowly(event: Numbered, tx: Tx): Promise<void> {
  await insert(tx, event);
  await tx.query('SELECT pg_sleep($1)', [event.seconds ?? 0]);
}

const insert = (tx: Tx, { n }: Numbered) => tx.query('INSERT INTO accounts.numbers (n) VALUES ($1)', [n]);

async function start({ busUrl, databaseUrl, workerUrl }: ProcessSettings): Promise<void> {
  const logger = createLogger('tester', 'silent');
  class Root {}
  Module({
    imports: [
      loggerModule(logger),
      DatabaseModule.forService({ service: 'accounts', url: databaseUrl, workerUrl, entities: [] }),
      BusModule.forService({ name: 'tester', url: busUrl, database: true }),
    ],
    providers: [Listener],
  })(Root);
  await NestFactory.createApplicationContext(Root, { logger: nestLogger(logger), abortOnError: false });
}

// A process that consumes until it is killed.
process.once('message', (settings: ProcessSettings) => void start(settings));
