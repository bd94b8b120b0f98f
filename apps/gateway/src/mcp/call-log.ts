import { Injectable } from '@nestjs/common';
import { BusClient } from '@signalbox/bus';
import { auditLog, type Caller } from '@signalbox/contracts';

export interface LoggedCall {
  address: string;
  tool: string;
  client: string;
  target?: string | undefined;
  refused?: string;
}

@Injectable()
export class McpCallLog {
  constructor(private readonly bus: BusClient) {}

  /** To be awaited before the call is carried out: what cannot be logged is not done. Throws 503. */
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
