import { randomUUID } from 'node:crypto';
import { BusClient, BusConnection } from '@signalbox/bus/client';
import { busAddressOf } from '@signalbox/bus/addresses';
import {
  type Caller,
  type CompanyRow,
  type CreatedCompany,
  type DeadLetter,
  deadLettersOf,
  operator,
  type ReplayedDeadLetters,
  type Scope,
  SCOPES,
} from '@signalbox/contracts';
import { createLogger } from '@signalbox/platform';
import { ADMIN_USER } from '../settings/admin-user.js';

const TIMEOUT_MS = 15_000;

/** No company owns an operator's command, and it has no key. */
const caller = (): Caller => ({
  companyId: 0,
  keyId: null,
  scopes: SCOPES,
  requestId: randomUUID(),
  deadline: Date.now() + TIMEOUT_MS,
});

export class Operator {
  private readonly bus: BusClient;

  private constructor(connection: BusConnection) {
    this.bus = new BusClient(connection);
  }

  static async during<T>(natsUrl: string, work: (operator: Operator) => Promise<T>): Promise<T> {
    const connection = await open(natsUrl);
    try {
      return await work(new Operator(connection));
    } finally {
      await connection.close();
    }
  }

  createCompany(name: string): Promise<CreatedCompany> {
    return this.bus.call(operator.endpoints.createCompany, { name }, caller());
  }

  createKey(companyId: number, name: string, scopes: Scope[]): Promise<{ id: number; key: string | null }> {
    return this.bus.call(operator.endpoints.createCompanyKey, { company_id: companyId, name, scopes }, caller());
  }

  /** A sign-in that works once, within five minutes. */
  async createPortalTicket(companyId: number): Promise<string> {
    const { ticket } = await this.bus.call(operator.endpoints.createPortalTicket, { company_id: companyId }, caller());
    if (ticket === null) throw new Error('the ticket was not shown');
    return ticket;
  }

  async listCompanies(): Promise<CompanyRow[]> {
    return this.bus.call(operator.endpoints.listCompanies, {}, caller());
  }

  async allowEgress(companyId: number, allow: string[]): Promise<string[]> {
    const input = { company_id: companyId, allow };
    return (await this.bus.call(operator.endpoints.setEgressAllow, input, caller())).egress_allow;
  }

  deadLetters(service: string, query: { consumer?: string; after: number }): Promise<DeadLetter[]> {
    return this.bus.call(deadLettersOf(service).endpoints.listDeadLetters, query, caller());
  }

  replayDeadLetters(service: string, ids: number[]): Promise<ReplayedDeadLetters> {
    return this.bus.call(deadLettersOf(service).endpoints.replayDeadLetters, { ids }, caller());
  }

  async dropDeadLetters(service: string, ids: number[]): Promise<number[]> {
    return (await this.bus.call(deadLettersOf(service).endpoints.dropDeadLetters, { ids }, caller())).dropped;
  }

  async discardedEvents(service: string): Promise<number> {
    return (await this.bus.call(deadLettersOf(service).endpoints.countDiscardedEvents, {}, caller())).messages;
  }

  /** Sends all of them again, slice by slice; returns their number. */
  async resendDiscardedEvents(service: string): Promise<number> {
    const { resendDiscardedEvents } = deadLettersOf(service).endpoints;
    let { messages, until } = await this.bus.call(resendDiscardedEvents, {}, caller());
    for (let slice = messages; slice > 0; messages += slice)
      ({ messages: slice, until } = await this.bus.call(resendDiscardedEvents, { until }, caller()));
    return messages;
  }
}

async function open(natsUrl: string): Promise<BusConnection> {
  try {
    return await BusConnection.open(natsUrl, ADMIN_USER, createLogger(ADMIN_USER, 'silent'), { whenAway: 'fail' });
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    throw new Error(`the bus at ${busAddressOf(natsUrl).servers.join(', ')} cannot be used (${cause})`, {
      cause: error,
    });
  }
}
