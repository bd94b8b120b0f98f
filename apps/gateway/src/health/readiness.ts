import { Injectable } from '@nestjs/common';
import { BusClient, BusConnection } from '@signalbox/bus';
import { type Caller, HEALTH, processOf, type ServiceHealth } from '@signalbox/contracts';
import { Draining } from '../replies/index.js';

type State = 'ok' | 'down';

interface Checks {
  postgres: State;
  nats: State;
  object_store: State;
  services: Record<string, State>;
}

/** See docs/api/README.md. */
export interface ReadinessReport {
  status: 'ok' | 'degraded' | 'draining';
  checks: Checks;
}

/** Long enough for a slow service: only a silent one counts as down. */
const CHECK_MS = 5000;
const FRESH_MS = 250;

/**
 * Needs no key, so concurrent requests share one report. The report is about the platform and never a reason to take
 * this gateway out of service: probes use the health port, where ready means listening and not draining.
 */
@Injectable()
export class Readiness {
  private latest: Promise<Checks> | undefined;
  private until = 0;
  /** A load balancer that probes `/readyz` must see that the gateway is draining before it stops. */
  askedAt = 0;

  constructor(
    private readonly bus: BusClient,
    private readonly connection: BusConnection,
    private readonly draining: Draining,
  ) {}

  async report(): Promise<ReadinessReport> {
    const now = Date.now();
    this.askedAt = now;
    if (!this.latest || now >= this.until) {
      this.until = now + CHECK_MS + FRESH_MS;
      this.latest = this.checkAll().finally(() => (this.until = Date.now() + FRESH_MS));
    }
    const checks = await this.latest;
    const fine = [checks.postgres, checks.nats, checks.object_store, ...Object.values(checks.services)];
    const status = fine.every((state) => state === 'ok') ? 'ok' : 'degraded';
    return { status: this.draining.started ? 'draining' : status, checks };
  }

  private async checkAll(): Promise<Checks> {
    const answers = await Promise.all(
      HEALTH.map(async (contract) => [processOf(contract), await this.ask(contract)] as const),
    );
    const reports = answers.flatMap(([, health]) => (health ? [health] : []));
    return {
      postgres: reports.length > 0 && reports.every(({ postgres }) => postgres === 'ok') ? 'ok' : 'down',
      nats: !this.connection.isAway && reports.every(({ nats }) => nats !== 'down') ? 'ok' : 'down',
      object_store: reports.every(({ object_store }) => object_store !== 'down') ? 'ok' : 'down',
      services: Object.fromEntries(answers.map(([name, health]) => [name, health?.status ?? 'down'])),
    };
  }

  private ask({ endpoints }: (typeof HEALTH)[number]): Promise<ServiceHealth | null> {
    const deadline = Date.now() + CHECK_MS;
    const caller: Caller = { companyId: 0, keyId: null, scopes: [], requestId: 'readyz', deadline };
    return this.bus.call(endpoints.check, {}, caller).catch(() => null);
  }
}
