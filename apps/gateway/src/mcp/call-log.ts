import { Injectable } from '@nestjs/common';
import { BusClient } from '@signalbox/bus';
import { auditLog, type Caller } from '@signalbox/contracts';

/** One call of a tool, for the audit log. */
export interface LoggedCall {
  address: string;
  tool: string;
  /** The client as it names itself. */
  client: string;
  target?: string | undefined;
  refused?: string;
}

/** Adds calls of tools to the audit log. */
@Injectable()
export class McpCallLog {
  constructor(private readonly bus: BusClient) {}

  /** Adds a call before it is carried out: while it cannot be added, nothing is done. Throws 503. */
  async note(caller: Caller, { address, tool, client, target, refused }: LoggedCall): Promise<void> {
    const call = {
      address,
      tool: plain(tool, 200),
      client: plain(client, 200),
      target: plain(target ?? '', 500) || null,
      refused: refused === undefined ? null : plain(refused, 1000) || 'refused',
    };
    await this.bus.call(auditLog.endpoints.noteMcpCall, call, caller);
  }
}

/** Text of a client as the log stores it: without control characters and lone surrogates, not longer than it may be. */
const plain = (text: string, length: number): string =>
  [
    ...text
      .slice(0, 2 * length)
      .toWellFormed()
      .replace(/[\u0000-\u001f]/g, ' '),
  ]
    .slice(0, length)
    .join('')
    .trim();
