import { Injectable } from '@nestjs/common';
import { ApiError, type Caller, type OnOff } from '@signalbox/contracts';
import { requireEnabled, slugOf } from '../applications/application.js';
import { Applications } from '../applications/applications.repository.js';
import { LastKnown } from '../companies/last-known.js';
import { CallTargets } from './call-targets.js';

/** Where in a company a call belongs. */
export interface CallPlace {
  applicationId: number | null;
  intentId: number | null;
  intentGroupId: number | null;
}

interface KnownApplication {
  id: number;
  state: OnOff;
}

const DEFAULT_APPLICATION = 'default';

/** Resolves the names that calls give to rows; what is unknown is created on the fly (api.md 2.1). */
@Injectable()
export class CallPlaces {
  private readonly known = new LastKnown<KnownApplication>();

  constructor(
    private readonly applications: Applications,
    targets: CallTargets,
  ) {
    targets.onForget((companyId) => this.known.forget(companyId));
  }

  /** Throws 409 `application_disabled`. */
  async of(caller: Caller, names: { application?: string | undefined }): Promise<CallPlace> {
    const name = names.application?.trim() || DEFAULT_APPLICATION;
    const { companyId } = caller;
    const { id, state } = await this.known.get(companyId, slugOf(name), () => this.findOrCreate(companyId, name));
    requireEnabled(id, state);
    return { applicationId: id, intentId: null, intentGroupId: null };
  }

  private async findOrCreate(companyId: number, name: string): Promise<KnownApplication> {
    const ref = slugOf(name);
    const found = await this.applications.byRef(companyId, ref);
    if (found) return found;
    // The call's own idempotency is about its answer, so the row is made in the name of the company alone.
    const created = this.applications.create(
      { companyId },
      { application_name: name, application_ref_name: ref, description: null, state: 'ENABLED', meta: {} },
      [{ event: 'application.created' }],
    );
    await created.catch((error: unknown) => {
      if (!(error instanceof ApiError) || error.kind !== 'conflict') throw error;
    });
    const made = await this.applications.byRef(companyId, ref);
    if (!made) throw new ApiError('conflict', `application ${ref} was deleted meanwhile`);
    return made;
  }
}
