import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { CompanyProfiles } from '@signalbox/clients';
import type { Caller } from '@signalbox/contracts';
import { Egress } from '@signalbox/egress';
import {
  type ChatProvider,
  Circuits,
  type FinetuneProvider,
  openAiCompatible,
  OpenAiFinetuning,
  ProviderError,
  simulated,
  simulatedFinetuning,
} from '@signalbox/llm';
import { EGRESS_ALLOW } from './egress-allow.js';
import { MeasuredProvider } from './measured-provider.js';
import type { ProviderAccess } from './providers.repository.js';

interface Client {
  allow: string[];
  provider: ChatProvider;
}

/** All clients share one egress guard, and breakers and retry budgets per company, provider and model. */
@Injectable()
export class ProviderClients implements OnModuleDestroy {
  private readonly egress: Egress;
  private readonly circuits = new Circuits();
  private readonly simulation = new MeasuredProvider(simulated(), 'simulated');
  private readonly simulatedJobs = simulatedFinetuning();
  private readonly clients = new WeakMap<ProviderAccess, Client>();

  constructor(
    private readonly profiles: CompanyProfiles,
    @Inject(EGRESS_ALLOW) allow: string[],
  ) {
    this.egress = new Egress({ allow });
  }

  async onModuleDestroy(): Promise<void> {
    await this.egress.close();
  }

  /** Throws a ProviderError when the provider has no credentials. */
  async of(access: ProviderAccess, caller: Caller): Promise<ChatProvider> {
    if (access.kind === 'simulated') return this.simulation;
    if (!hasCredentials(access)) throw notConfigured(access.provider_name);
    const { egress_allow: allow } = await this.profiles.of(caller);
    const known = this.clients.get(access);
    if (known?.allow === allow) return known.provider;
    const client = openAiCompatible({
      baseUrl: access.base_url ?? '',
      apiKey: access.apiKey,
      headers: access.headers,
      egress: this.egress,
      allow,
      companyId: caller.companyId,
      provider: access.provider_name,
      circuits: this.circuits,
    });
    const provider = new MeasuredProvider(client, access.kind);
    this.clients.set(access, { allow, provider });
    return provider;
  }

  async finetuning(access: ProviderAccess, caller: Caller): Promise<FinetuneProvider> {
    if (access.kind === 'simulated') return this.simulatedJobs;
    if (!hasCredentials(access)) throw notConfigured(access.provider_name);
    const { egress_allow: allow } = await this.profiles.of(caller);
    const { apiKey, headers } = access;
    return new OpenAiFinetuning({ baseUrl: access.base_url ?? '', apiKey, headers, egress: this.egress, allow });
  }
}

// A secret default header replaces the key, as self-hosted gateways require it.
const hasCredentials = ({ apiKey, hasSecretHeaders }: ProviderAccess): boolean => apiKey !== null || hasSecretHeaders;

function notConfigured(name: string): ProviderError {
  const message = `provider ${name} has no API key`;
  return new ProviderError({ failureClass: 'provider', code: 'not_configured', message });
}
