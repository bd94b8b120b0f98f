import { Injectable, type OnModuleInit } from '@nestjs/common';
import { BusConnection, Every } from '@signalbox/bus';
import { Database } from '@signalbox/database';

const CHANGED = 'broadcast.tag-rules';
/** How soon a process learns of a rule whose broadcast it missed. */
const READ_EVERY_MS = 10_000;

/**
 * The companies with rules for new requests, known to every process that records calls: recording costs other
 * companies nothing. A company whose last such rule is disabled stays in the set until the next read.
 *
 * SQL: rules of all companies are read by the worker role, which sees no content of them.
 */
@Injectable()
export class AutoTaggedCompanies implements OnModuleInit {
  private ids: Set<number> | undefined;
  /** Announced while the set was read, so possibly missing in what was read. */
  private announced = new Set<number>();
  private reading: Promise<Set<number>> | undefined;

  constructor(
    private readonly db: Database,
    private readonly bus: BusConnection,
  ) {}

  onModuleInit(): void {
    this.bus.listen(CHANGED, (payload) => this.add(Number(Buffer.from(payload).toString())));
  }

  /** True when new requests of the company may have to be tagged. */
  async has(companyId: number): Promise<boolean> {
    return (this.ids ?? (await this.read())).has(companyId);
  }

  /** Adds a company in all processes; call it after a rule was committed. */
  changed(companyId: number): void {
    this.add(companyId);
    this.bus.announce(CHANGED, String(companyId));
  }

  @Every(READ_EVERY_MS, 'the companies with rules for new requests could not be read')
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
    const rows = await this.db.asWorker<{ company_id: number }>(
      'SELECT DISTINCT company_id FROM traffic.tag_rules WHERE enabled AND apply_to_new AND deleted_at IS NULL',
    );
    return (this.ids = new Set([...rows.map(({ company_id }) => company_id), ...this.announced]));
  }
}
