import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { BusClient } from '@signalbox/bus';
import { RequestRecords, requestRecords } from '@signalbox/contracts';
import type { LineStore } from './spool-drain.js';
import { companyOfLine, recordOfLine } from './record-line.js';
import { RecordWriter } from './record-writer.js';
import type { RequestRecord } from '../requests/request-record.js';

/** A message of this many characters is surely smaller than what the bus carries. */
const MAX_CHARS = 2_000_000;
const CALL_MS = 15_000;
const HAND_OVER_MS = 3000;

/** Where the lines of the spool go; when `store` resolves, they are in the log. */
@Injectable()
export abstract class RecordStore implements LineStore {
  constructor(protected readonly bus: BusClient) {}

  abstract store(lines: readonly string[]): Promise<unknown>;

  /** Has another process of this service append the lines to its spool, on its disk. */
  async handOver(lines: readonly string[]): Promise<void> {
    for (const [companyId, own] of byCompany(lines))
      for (const some of inMessages(own))
        await this.bus.call(
          requestRecords.endpoints.keepRecords,
          RequestRecords.textOf(some),
          callerOf(companyId, HAND_OVER_MS),
        );
  }
}

const callerOf = (companyId: number, limitMs: number) => ({
  companyId,
  keyId: null,
  scopes: [],
  requestId: randomUUID(),
  deadline: Date.now() + limitMs,
});

/** Lines in groups that a message can carry; a longer line makes one of its own. */
function inMessages(lines: readonly string[]): string[][] {
  const groups: string[][] = [[]];
  let chars = 0;
  for (const line of lines) {
    chars += line.length;
    if (chars > MAX_CHARS && chars > line.length) {
      groups.push([]);
      chars = line.length;
    }
    groups.at(-1)?.push(line);
  }
  return groups;
}

/** Writes records itself. */
@Injectable()
export class OwnRecords extends RecordStore {
  constructor(
    private readonly writer: RecordWriter,
    bus: BusClient,
  ) {
    super(bus);
  }

  /** Returns how many; the records of a caller are its own, whatever company they name. */
  async store(lines: readonly string[], companyId?: number): Promise<number> {
    const records: RequestRecord[] = [];
    for (const line of lines) {
      const record = parsed(line);
      if (record) records.push(companyId === undefined ? record : { ...record, company_id: companyId });
      else await this.writer.setAside(line, companyId ?? companyOfLine(line));
    }
    await this.writer.write(records);
    return records.length;
  }
}

/** Null for a damaged line. */
function parsed(line: string): RequestRecord | null {
  try {
    return recordOfLine(line);
  } catch {
    return null;
  }
}

/**
 * Has the traffic service write records: taking them apart and talking to Postgres would hold up the calls of this
 * process. What that service cannot take now, or never could, is written here.
 */
@Injectable()
export class ForwardedRecords extends RecordStore {
  constructor(
    private readonly own: OwnRecords,
    bus: BusClient,
  ) {
    super(bus);
  }

  async store(lines: readonly string[]): Promise<void> {
    const groups = byCompany(lines);
    await Promise.all([...groups].map(([companyId, some]) => this.storeOf(companyId, some)));
  }

  private async storeOf(companyId: number, lines: readonly string[]): Promise<void> {
    const message = RequestRecords.textOf(lines);
    if (companyId === 0 || message.text.length > MAX_CHARS) return void (await this.own.store(lines));
    try {
      await this.bus.call(requestRecords.endpoints.storeRecords, message, callerOf(companyId, CALL_MS));
    } catch {
      await this.own.store(lines);
    }
  }
}

/** Lines by their company; 0 for those that name none. */
function byCompany(lines: readonly string[]): Map<number, string[]> {
  const groups = new Map<number, string[]>();
  for (const line of lines) {
    const companyId = companyOfLine(line);
    const group = groups.get(companyId);
    if (group) group.push(line);
    else groups.set(companyId, [line]);
  }
  return groups;
}
