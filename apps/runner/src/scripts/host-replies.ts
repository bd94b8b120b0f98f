import { randomUUID } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { BusConnection } from '@signalbox/bus';
import { SCRIPT_REPLIES } from '@signalbox/contracts';
import { MAX_HOST_VALUE_LENGTH, ReplyAssembly } from '@signalbox/scripts';

/** `reply` is null when it was too long. */
export type OnReply = (id: number, reply: string | null) => void;

const token = (): string => randomUUID().replaceAll('-', '');

@Injectable()
export class HostReplies implements OnModuleInit {
  private readonly prefix = `${SCRIPT_REPLIES}.${token()}`;
  private readonly open = new Map<string, { onReply: OnReply; assembly: ReplyAssembly }>();

  constructor(private readonly connection: BusConnection) {}

  onModuleInit(): void {
    this.connection.listen(`${this.prefix}.*.*`, (payload, subject) => this.receive(payload, subject));
  }

  /** The subject cannot be guessed. */
  expect(onReply: OnReply): { subject: string; close(): void } {
    const name = token();
    this.open.set(name, { onReply, assembly: new ReplyAssembly() });
    return { subject: `${this.prefix}.${name}`, close: () => void this.open.delete(name) };
  }

  private receive(payload: Uint8Array, subject: string): void {
    const [name = '', id = ''] = subject.slice(this.prefix.length + 1).split('.');
    const expected = this.open.get(name);
    if (!expected) return;
    try {
      const text = Buffer.from(payload).toString('utf8');
      const reply = expected.assembly.add(id, text, MAX_HOST_VALUE_LENGTH);
      if (reply !== null) expected.onReply(Number(id), reply);
    } catch {
      expected.onReply(Number(id), null);
    }
  }
}
