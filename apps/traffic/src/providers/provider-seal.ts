import { PROVIDER_KIND, providerContext, Seal } from '@signalbox/platform';

/** A sealed text can be decrypted only in the same context. */
export interface SealContext {
  companyId: number;
  providerId: number;
  field: 'api_key' | 'default_headers';
}

export class ProviderSeal {
  readonly #seal: Seal;

  /** The first key seals, all of them open. */
  constructor(keys: readonly string[]) {
    this.#seal = new Seal(PROVIDER_KIND, keys);
  }

  seal(place: SealContext, text: string): Buffer {
    return this.#seal.seal(contextOf(place), text);
  }

  open(place: SealContext, sealed: Buffer): string {
    return this.#seal.open(contextOf(place), sealed);
  }
}

const contextOf = ({ companyId, providerId, field }: SealContext): string =>
  providerContext(companyId, providerId, field);
