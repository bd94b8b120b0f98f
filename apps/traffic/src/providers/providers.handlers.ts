import { Inject } from '@nestjs/common';
import { Serves } from '@signalbox/bus';
import { CompanyProfiles } from '@signalbox/clients';
import { type CallTo, type Caller, type Handlers, providers, type ProviderTest } from '@signalbox/contracts';
import { AllowList, isSensitiveHeader } from '@signalbox/egress';
import { ProviderError } from '@signalbox/llm';
import { callContext } from './call-context.js';
import { CallTargetChanges } from '../call-target-changes/index.js';
import { ProviderClients } from './provider-clients.js';
import { BuiltIns } from './built-ins.repository.js';
import { EGRESS_ALLOW } from './egress-allow.js';
import type { ProviderChecks } from './provider.js';
import { type ProviderAccess, Providers } from './providers.repository.js';

type C = typeof providers;

const MAX_MODELS = 1000;
const MAX_MODEL_NAME = 200;

@Serves(providers)
export class ProviderHandlers implements Handlers<C> {
  constructor(
    private readonly providers: Providers,
    private readonly builtIns: BuiltIns,
    private readonly profiles: CompanyProfiles,
    private readonly clients: ProviderClients,
    private readonly changes: CallTargetChanges,
    @Inject(EGRESS_ALLOW) private readonly operatorAllows: string[],
  ) {}

  async listProviders({ input, caller }: CallTo<C, 'listProviders'>) {
    await this.builtIns.ensure(caller.companyId);
    return this.providers.list(caller.companyId, input);
  }

  async createProvider({ input: { kind, ...fields }, caller }: CallTo<C, 'createProvider'>) {
    await this.builtIns.ensure(caller.companyId);
    return this.providers.add(caller, kind, fields, await this.checksFor(caller));
  }

  getProvider({ input, caller }: CallTo<C, 'getProvider'>) {
    return this.providers.get(caller.companyId, input.provider_id);
  }

  async updateProvider({ input: { provider_id, ...fields }, caller }: CallTo<C, 'updateProvider'>) {
    const reply = await this.providers.edit(caller, provider_id, fields, await this.checksFor(caller));
    this.changes.changed(caller.companyId);
    return reply;
  }

  async deleteProvider({ input, caller }: CallTo<C, 'deleteProvider'>) {
    const reply = await this.providers.drop(caller, input.provider_id);
    this.changes.changed(caller.companyId);
    return reply;
  }

  async testProvider({ input, caller }: CallTo<C, 'testProvider'>): Promise<ProviderTest> {
    const access = await this.providers.access(caller.companyId, input.provider_id);
    const began = Date.now();
    try {
      const models = await this.probe(access, input.model, caller);
      return { ok: true, latency_ms: Date.now() - began, failure_class: null, message: null, models };
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      const { failureClass, message } = error;
      return { ok: false, latency_ms: Date.now() - began, failure_class: failureClass, message, models: null };
    }
  }

  /** The names of the provider's models; with a model, makes a short chat with it instead. */
  private async probe(access: ProviderAccess, model: string | undefined, caller: Caller): Promise<string[] | null> {
    const client = await this.clients.of(access, caller);
    const context = callContext(access.timeout_ms, caller.deadline, new AbortController().signal);
    if (model !== undefined) {
      // Without a limit of tokens: models that reason refuse its older name, other servers its newer one.
      await client.complete({ model, messages: [{ role: 'user', content: 'Reply with OK.' }] }, context);
      return null;
    }
    const names = await client.models(context);
    return names.filter((name) => name.length <= MAX_MODEL_NAME).slice(0, MAX_MODELS);
  }

  private async checksFor(caller: Caller): Promise<ProviderChecks> {
    const { egress_allow } = await this.profiles.current(caller);
    const allowed = new AllowList([...this.operatorAllows, ...egress_allow]);
    return {
      isSecretHeader: isSensitiveHeader,
      allowsHttp: (url) => allowed.lists(url.hostname, Number(url.port || 80)),
    };
  }
}
