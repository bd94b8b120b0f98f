import { PROVIDER_KIND, providerContext, Seal } from '@signalbox/platform';

/** The record and field of a sealed text, which is decrypted only in this context. */
export interface SealContext {
  companyId: number;
  providerId: number;
  field: 'api_key' | 'default_headers';
}

/** Encrypts the credentials of providers. */
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
