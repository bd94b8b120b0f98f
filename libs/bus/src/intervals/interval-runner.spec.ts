import { Injectable, type INestApplicationContext, Module } from '@nestjs/common';
import { DiscoveryModule, NestFactory } from '@nestjs/core';
import { createLogger, loggerModule } from '@signalbox/platform';
import { DecoratedMethodScanner } from '../decorated-methods.js';
import { Every } from './every.js';
import { IntervalRunner } from './interval-runner.js';

const { jest } = import.meta;

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

@Injectable()
class Daily {
  runs = 0;
  fails = true;

  @Every(DAY_MS, 'the daily run failed')
  pass(): void {
    this.runs++;
    if (this.fails) throw new Error('no reply yet');
  }
}

const logger = createLogger('intervals', 'silent');

@Module({
  imports: [DiscoveryModule, loggerModule(logger)],
  providers: [DecoratedMethodScanner, IntervalRunner, Daily],
})
class Intervals {}

let app: INestApplicationContext;
let daily: Daily;

beforeEach(async () => {
  jest.useFakeTimers();
  app = await NestFactory.createApplicationContext(Intervals, { logger: false });
  daily = app.get(Daily);
});
afterEach(async () => {
  await app.close();
  jest.useRealTimers();
});

const afterMinutes = (minutes: number) => jest.advanceTimersByTimeAsync(minutes * MINUTE_MS);

describe('a daily run that fails', () => {
  it('is repeated every ten minutes until it succeeds, then a day later', async () => {
    expect(daily.runs).toBe(1);
    await afterMinutes(9);
    expect(daily.runs).toBe(1);
    await afterMinutes(1);
    expect(daily.runs).toBe(2);
    daily.fails = false;
    await afterMinutes(10);
    expect(daily.runs).toBe(3);
    await afterMinutes(12 * 60);
    expect(daily.runs).toBe(3);
    await afterMinutes(12 * 60);
    expect(daily.runs).toBe(4);
  });

  it('is not repeated by a process that has stopped', async () => {
    await app.close();
    await afterMinutes(60);
    expect(daily.runs).toBe(1);
  });
});
