import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const VERSION = 1;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts secrets of one kind for storage: AES-256-GCM under a derived key. A sealed text is `version, iv, tag,
 * ciphertext`; the version selects the key. It is decrypted only in the context for which it was sealed.
 */
export class Seal {
  readonly #keys: Map<number, Buffer>;

  constructor(
    private readonly kind: string,
    key: string,
  ) {
    this.#keys = new Map([[VERSION, Buffer.from(key, 'hex')]]);
  }

  seal(context: string, text: string): Buffer {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#key(VERSION), iv).setAAD(this.#boundTo(context, VERSION));
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([Buffer.of(VERSION), iv, cipher.getAuthTag(), body]);
  }

  open(context: string, sealed: Buffer): string {
    const version = sealed[0] ?? 0;
    const iv = sealed.subarray(1, 1 + IV_BYTES);
    const tag = sealed.subarray(1 + IV_BYTES, 1 + IV_BYTES + TAG_BYTES);
    const decipher = createDecipheriv('aes-256-gcm', this.#key(version), iv, { authTagLength: TAG_BYTES })
      .setAAD(this.#boundTo(context, version))
      .setAuthTag(tag);
    const body = sealed.subarray(1 + IV_BYTES + TAG_BYTES);
    return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
  }

  #key(version: number): Buffer {
    const key = this.#keys.get(version);
    if (!key) throw new Error(`there is no key of version ${version}`);
    return key;
  }

  #boundTo(context: string, version: number): Buffer {
    return Buffer.from(`signalbox:${this.kind}:${version}:${context}`);
  }
}
