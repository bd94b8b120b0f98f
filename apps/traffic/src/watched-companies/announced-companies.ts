import type { OnModuleInit } from '@nestjs/common';
import { type BusConnection, Every } from '@signalbox/bus';
import type { Database, Statement } from '@signalbox/database';

/** How soon a process learns of a company whose broadcast it missed. */
const READ_EVERY_MS = 10_000;

export interface CompanySet {
  subject: string;
  members: Statement<'worker'>;
}

/**
 * Companies with a resource that concerns new requests, known to every process that records calls, so that recording
 * costs other companies nothing. The set may contain too many companies until the next read; it lacks one only while a
 * broadcast is lost.
 *
 * SQL: rows of all companies are read by the worker role, which sees no content of them.
 */
export abstract class AnnouncedCompanies implements OnModuleInit {
  private ids: Set<number> | undefined;
  /** Announced during a read, which may lack them. */
  private announced = new Set<number>();
  private reading: Promise<Set<number>> | undefined;

  protected constructor(
    private readonly db: Database,
    private readonly bus: BusConnection,
    private readonly set: CompanySet,
  ) {}

  onModuleInit(): void {
    this.bus.listen(this.set.subject, (payload) => this.add(Number(Buffer.from(payload).toString())));
  }

  async has(companyId: number): Promise<boolean> {
    return (this.ids ?? (await this.read())).has(companyId);
  }

  /** In all processes; call it after the change was committed. */
  changed(companyId: number): void {
    this.add(companyId);
    this.bus.announce(this.set.subject, String(companyId));
  }

  @Every(READ_EVERY_MS, 'the companies that new requests concern could not be read')
  async refresh(): Promise<void> {
    await this.read();
  }

  private add(companyId: number): void {
    this.ids?.add(companyId);
    this.announced.add(companyId);
  }

  private read(): Promise<Set<number>> {
    this.reading ??= this.readAll().finally(() => (this.reading = undefined));
    return this.reading;
  }

  private async readAll(): Promise<Set<number>> {
    this.announced = new Set();
    const rows = await this.db.asWorker<{ company_id: number }>(this.set.members);
    return (this.ids = new Set([...rows.map(({ company_id }) => company_id), ...this.announced]));
  }
}
