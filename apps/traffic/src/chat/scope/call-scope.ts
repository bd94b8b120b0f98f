import { Injectable } from '@nestjs/common';
import { ApiError, type Caller, type ChatCall, notFound, type OnOff } from '@signalbox/contracts';
import { Applications, newApplication, requireEnabled, slugOf } from '../../applications/index.js';
import { StaleWhileRevalidateCache } from '@signalbox/platform';
import { inherited, type Overrides } from '../../config/index.js';
import { Intents, newIntent } from '../../intents/index.js';
import { CallTargetChanges } from '../../call-target-changes/index.js';
import { type ResolvedApplication, ApplicationResolver } from './application-resolver.repository.js';

export interface CallScope {
  applicationId: number | null;
  intentId: number | null;
  intentGroupId: number | null;
}

export interface ConfiguredCallScope extends CallScope {
  config: Overrides;
  /** Handles calls without a model. */
  agentId: number | null;
}

interface KnownPlace {
  id: number;
  name: string;
  state: OnOff;
  place: ConfiguredCallScope;
}

const NO_SCOPE: ConfiguredCallScope = {
  applicationId: null,
  intentId: null,
  intentGroupId: null,
  config: {},
  agentId: null,
};

const DEFAULT = 'default';
/** One attempt each for the application, the intent, the look-up of both, and a concurrent deletion. */
const TRIES = 5;

/** Resolves the names in calls to rows; unknown ones are created (docs/api/traffic.md). */
@Injectable()
export class CallScopes {
  private readonly known = new StaleWhileRevalidateCache<KnownPlace>();
  /** Concurrent first look-ups of one scope share a query, to protect the connection pool. */
  private readonly pendingLookups = new Map<number, Map<string, Promise<KnownPlace>>>();

  constructor(
    private readonly places: ApplicationResolver,
    private readonly applications: Applications,
    private readonly intents: Intents,
    changes: CallTargetChanges,
  ) {
    changes.onChange((companyId) => {
      this.known.forget(companyId);
      this.pendingLookups.delete(companyId);
    });
  }

  /** Throws 409 `application_disabled`. */
  async of(
    { companyId }: Caller,
    names: { application?: string | undefined; intent?: string | undefined },
  ): Promise<ConfiguredCallScope> {
    const application = names.application?.trim() || DEFAULT;
    const intent = names.intent?.trim() || DEFAULT;
    const key = JSON.stringify([application, intent]);
    const find = () => this.findOrCreate(companyId, application, intent);
    const { id, state, place } = await this.known.get(companyId, key, () => this.together(companyId, key, find));
    requireEnabled(id, state);
    return place;
  }

  /**
   * The named application, else that of the calling agent or workflow, and the named intent. Nothing is created for a
   * call that names neither. Throws 404, and 409 `application_disabled`.
   */
  async ofService(caller: Caller, call: ChatCall): Promise<ConfiguredCallScope> {
    const { application, intent, application_id: id, intent_id: intentId } = call;
    if (application !== undefined) return this.of(caller, { application, intent });
    if (id == null) return intent === undefined ? NO_SCOPE : this.of(caller, { intent });
    const known = await this.byId(caller, id, intentId ?? null);
    return intent === undefined ? known.place : this.of(caller, { application: known.name, intent });
  }

  private async byId({ companyId }: Caller, id: number, intentId: number | null): Promise<KnownPlace> {
    const key = JSON.stringify([id, intentId]);
    const find = async (): Promise<KnownPlace> => {
      const found = await this.places.findById(companyId, id, intentId);
      return found ? knownOf(found) : missing(intentId === null ? 'application' : 'intent');
    };
    const known = await this.known.get(companyId, key, () => this.together(companyId, key, find));
    requireEnabled(id, known.state);
    return known;
  }

  private together(companyId: number, key: string, find: () => Promise<KnownPlace>): Promise<KnownPlace> {
    const company = this.pendingLookups.get(companyId) ?? new Map<string, Promise<KnownPlace>>();
    this.pendingLookups.set(companyId, company);
    const pending = company.get(key);
    if (pending) return pending;
    const finding = find().finally(() => {
      company.delete(key);
      if (company.size === 0 && this.pendingLookups.get(companyId) === company) this.pendingLookups.delete(companyId);
    });
    company.set(key, finding);
    return finding;
  }

  private async findOrCreate(companyId: number, application: string, intent: string): Promise<KnownPlace> {
    for (let tries = 0; tries < TRIES; tries++) {
      const found = await this.places.find(companyId, application, slugOf(application), intent);
      if (found?.intent_id != null || found?.state === 'DISABLED') return knownOf(found);
      // Without the idempotency key of the call, which belongs to its answer.
      const making = found
        ? this.intents.add({ companyId }, found.application_id, newIntent({ action_type: intent }))
        : this.applications.add(
            { companyId },
            newApplication({ application_name: application, state: 'ENABLED', meta: {} }),
          );
      await making.catch(unlessOvertaken);
    }
    throw new ApiError('conflict', `application ${application} was deleted during the call`);
  }
}

/** Ignores conflicts with concurrent creations and deletions; the next look-up reads the current rows. */
function unlessOvertaken(error: unknown): void {
  if (!(error instanceof ApiError) || (error.kind !== 'conflict' && error.kind !== 'not_found')) throw error;
}

function missing(resource: string): never {
  throw notFound(resource);
}

function knownOf(found: ResolvedApplication): KnownPlace {
  const { application_id: id, application_ref_name: name, state, intent, intent_group, application } = found;
  const config = inherited([
    { from: 'intent', config: intent ?? {} },
    { from: 'intent_group', config: intent_group ?? {} },
    { from: 'application', config: application },
  ]);
  const { intent_id: intentId, intent_group_id: intentGroupId, agent_id: agentId } = found;
  return { id, name, state, place: { applicationId: id, intentId, intentGroupId, config, agentId } };
}
