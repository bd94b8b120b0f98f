import type { Logger } from '@signalbox/platform';

const PAUSE_MS = 15_000;

/** Permissions are the same for all companies. */
const withoutCompany = (subject: string): string => subject.replace(/[.][^.]*/, '');

/**
 * Subjects that this process may not publish for now: their messages wait in the outbox and the others pass them.
 * Services of a new release may start before the bus has their rights.
 */
export class ForbiddenSubjects {
  private readonly until = new Map<string, number>();

  constructor(private readonly logger: Pick<Logger, 'error'>) {}

  add(subject: string): void {
    const name = withoutCompany(subject);
    if (!this.until.has(name))
      this.logger.error({ subject: name }, 'the bus does not permit messages of a subject: they wait in the outbox');
    this.until.set(name, performance.now() + PAUSE_MS);
  }

  current(): string[] {
    for (const [name, until] of this.until) if (until <= performance.now()) this.until.delete(name);
    return [...this.until.keys()];
  }
}
