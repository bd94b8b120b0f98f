import { Injectable } from '@nestjs/common';
import { BusClient } from '@signalbox/bus';
import { type Application, applications, type Caller } from '@signalbox/contracts';

const PAGE = 100;

export interface Binding {
  application_id?: number | null | undefined;
  application_name?: string | null | undefined;
}

@Injectable()
export class ApplicationBindings {
  constructor(private readonly bus: BusClient) {}

  /** Undefined means unchanged, null none. Throws 404 for an unknown id; creates an application for an unknown name. */
  async resolve(binding: Binding, caller: Caller): Promise<Application | null | undefined> {
    const { application_id, application_name } = binding;
    if (application_id != null) return this.bus.call(applications.endpoints.getApplication, { application_id }, caller);
    if (application_name != null) return this.named(application_name, caller);
    return application_id === null || application_name === null ? null : undefined;
  }

  /** Matches the reference name or the name, as model calls do. */
  private async named(name: string, caller: Caller): Promise<Application> {
    const found = await this.find(name, caller);
    if (found) return found;
    const body = { application_name: name, state: 'ENABLED' as const, meta: {} };
    try {
      return await this.bus.call(applications.endpoints.createApplication, body, caller);
    } catch (error) {
      // Another call may have created it in the meantime.
      const late = await this.find(name, caller);
      if (late) return late;
      throw error;
    }
  }

  private async find(name: string, caller: Caller): Promise<Application | null> {
    let byName: Application | null = null;
    for (let offset = 0; ; offset += PAGE) {
      const query = { offset, limit: PAGE, search: name, sort: 'id' };
      const { data } = await this.bus.call(applications.endpoints.listApplications, query, caller);
      const byRef = data.find(({ application_ref_name }) => application_ref_name === name);
      if (byRef) return byRef;
      byName ??= data.find(({ application_name }) => application_name === name) ?? null;
      if (data.length < PAGE) return byName;
    }
  }
}
