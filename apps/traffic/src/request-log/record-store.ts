import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { BusClient } from '@signalbox/bus';
import { RequestRecords, requestRecords } from '@signalbox/contracts';
import { Quarantine } from '@signalbox/platform';
import type { LineStore } from './spool-drain.js';
import { companyOfLine, recordOfLine } from './record-line.js';
import { RecordWriter } from './record-writer.js';
import type { RequestRecord } from '../request-records/index.js';

/** A message of this many characters is within the payload limit of the bus. */
const MAX_CHARS = 2_000_000;
const CALL_MS = 15_000;
const HAND_OVER_MS = 3000;
/** Records of the quarantine that are sent together. */
const AT_ONCE = 20;

/** The destination of spool lines; when `store` resolves, they are in the log. */
@Injectable()
export abstract class RecordStore implements LineStore {
  constructor(protected readonly bus: BusClient) {}

  abstract store(lines: readonly string[]): Promise<unknown>;

  /** Moves the records in quarantine to where they outlive this process. */
  abstract handOverQuarantine(): Promise<void>;

  /** Sends the lines to another process of this service, which appends them to the spool on its disk. */
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

@Injectable()
export class OwnRecords extends RecordStore {
  constructor(
    private readonly writer: RecordWriter,
    private readonly quarantine: Quarantine,
    bus: BusClient,
  ) {
    super(bus);
  }

  /** With `companyId`, stores all records under it, whatever company they contain. Returns their number. */
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

  /** A pod of this service ends with its disk: another one stores its records or has them in its own quarantine. */
  async handOverQuarantine(): Promise<void> {
    const ids = await this.quarantine.ids();
    for (let at = 0; at < ids.length; at += AT_ONCE)
      await Promise.all(ids.slice(at, at + AT_ONCE).map((id) => this.handOverQuarantined(id)));
  }

  private async handOverQuarantined(id: string): Promise<void> {
    const { line, company_id } = await this.quarantine.read(id);
    // Another process takes no damaged line, which belongs to nobody.
    if (companyOfLine(line) !== company_id || company_id === 0) return;
    await this.handOver([line]);
    await this.quarantine.drop(id);
  }
}

function parsed(line: string): RequestRecord | null {
  try {
    return recordOfLine(line);
  } catch {
    return null;
  }
}

/**
 * Sends records to the traffic service, because decoding and inserting them would delay the calls of this process.
 * Records that the service cannot accept are written by this process.
 */
@Injectable()
export class ForwardedRecords extends RecordStore {
  constructor(
    private readonly own: OwnRecords,
    bus: BusClient,
  ) {
    super(bus);
  }

  /** The disk of this process stays. */
  handOverQuarantine(): Promise<void> {
    return Promise.resolve();
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
