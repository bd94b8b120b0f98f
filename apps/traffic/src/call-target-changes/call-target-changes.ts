import { Injectable, type OnModuleInit } from '@nestjs/common';
import { BusConnection } from '@signalbox/bus';

const CHANGED = 'broadcast.models';

/** Announces to every process of the service that what the calls of a company resolve to has changed. */
@Injectable()
export class CallTargetChanges implements OnModuleInit {
  private readonly listeners: ((companyId: number) => void)[] = [];

  constructor(private readonly bus: BusConnection) {}

  onModuleInit(): void {
    this.bus.listen(CHANGED, (payload) => this.notify(Number(Buffer.from(payload).toString())));
  }

  /** Call it after the change was committed. */
  changed(companyId: number): void {
    this.notify(companyId);
    this.bus.announce(CHANGED, String(companyId));
  }

  onChange(forget: (companyId: number) => void): void {
    this.listeners.push(forget);
  }

  private notify(companyId: number): void {
    for (const listener of this.listeners) listener(companyId);
  }
}
