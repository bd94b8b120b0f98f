import { Injectable } from '@nestjs/common';
import { emits, type JsonText, type Monitor, type MonitorSummary, notFound } from '@signalbox/contracts';
import { CompanyRepository, Database, type Tx } from '@signalbox/database';
import { MonitorRow } from './monitor.entity.js';
import { FIND_MONITOR, FIND_VERSION, HOLD_MONITOR, view, withoutTargets } from './monitors.sql.js';

@Injectable()
export class Monitors extends CompanyRepository<MonitorRow, Monitor, MonitorSummary> {
  constructor(db: Database) {
    super(db, {
      entity: MonitorRow,
      view,
      type: 'monitor',
      uniqueViolations: { monitors_name: 'a monitor of this name exists already' },
    });
  }

  /** Throws 404. */
  async getWithoutTargets(companyId: number, id: number): Promise<JsonText<Monitor>> {
    const monitor = await this.db.readOne<Monitor>(withoutTargets, companyId, id);
    if (!monitor) throw notFound('monitor');
    return monitor;
  }

  /** Without a lock; throws 404. */
  async row(companyId: number, id: number): Promise<Pick<MonitorRow, 'status' | 'config'>> {
    const [row] = await this.db.select<Pick<MonitorRow, 'status' | 'config'>>(companyId, FIND_MONITOR, [id]);
    if (!row) throw notFound('monitor');
    return row;
  }

  /** The number of a version, which `latest` names too; 404 when the monitor has no such version. */
  async numberOf(tx: Tx, id: number, version: string): Promise<string> {
    const [found] = await tx.query<{ version_number: string }>(FIND_VERSION, [tx.companyId, id, version]);
    if (!found) throw notFound('version');
    return found.version_number;
  }

  /** Locks the monitor against deletion until the transaction ends; throws 404. */
  async hold(tx: Tx, id: number): Promise<void> {
    const found = await tx.query(HOLD_MONITOR, [tx.companyId, id]);
    if (found.length === 0) throw notFound('monitor');
  }

  /** Restores the draft from a snapshot; the monitor must be locked. */
  restore(
    tx: Tx,
    id: number,
    snapshot: Pick<MonitorRow, 'name' | 'description' | 'config' | 'meta'>,
  ): Promise<JsonText<Monitor>> {
    return this.changeIn(tx, id, () => ({ set: snapshot, events: [emits('monitor.updated')] }));
  }
}
