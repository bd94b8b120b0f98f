import { Injectable } from '@nestjs/common';
import { ApiError, type Application } from '@signalbox/contracts';
import { Applications, newApplication, slugOf } from '../applications/index.js';

const TRIES = 5;
/** Applications of a company beyond which traces create none; further traces belong to the one named `REST`. */
const MAX_APPLICATIONS = 1000;
const REST = 'other applications';

@Injectable()
export class TraceApplications {
  constructor(private readonly applications: Applications) {}

  async named(companyId: number, name: string): Promise<Application> {
    for (let tries = 0; tries < TRIES; tries++) {
      const found = await this.applications.findNamed(companyId, name, slugOf(name));
      if (found) return found;
      if (name !== REST && (await this.applications.count(companyId)) >= MAX_APPLICATIONS)
        return this.named(companyId, REST);
      await this.applications
        .add({ companyId }, newApplication({ application_name: name, state: 'ENABLED', meta: {} }))
        .catch(ignoreConflict);
    }
    throw new ApiError('conflict', `application ${name} was changed while a trace was stored`);
  }
}

/** Another trace has created it concurrently. */
function ignoreConflict(error: unknown): void {
  if (!(error instanceof ApiError) || error.kind !== 'conflict') throw error;
}
