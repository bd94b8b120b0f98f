import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

/** Sealed with the only key there is. Releases before 0.3.0 read nothing else. */
const UNNAMED = 1;
/** Followed by the id of the key; used while there are two keys. */
const NAMED = 2;
const ID_BYTES = 4;
const IV_BYTES = 12;
const TAG_BYTES = 16;

interface SealKey {
  id: Buffer;
  key: Buffer;
}

interface Sealed {
  /** Version and key id; authenticated with the text. */
  prefix: Buffer;
  id: Buffer | null;
  iv: Buffer;
  tag: Buffer;
  body: Buffer;
}

/**
 * Encrypts secrets of one kind for storage: AES-256-GCM under a derived key. A sealed text is `version, key id, iv,
 * tag, ciphertext`, in version 1 without the id. It can be opened only in the context for which it was sealed.
 */
export class Seal {
  readonly #keys: SealKey[];

  /** Hexadecimal: the first key seals, all of them open. */
  constructor(
    private readonly kind: string,
    keys: readonly string[],
  ) {
    this.#keys = keys.map((text) => {
      const key = Buffer.from(text, 'hex');
      return {
        key,
        id: createHash('sha256').update('signalbox seal key id').update(key).digest().subarray(0, ID_BYTES),
      };
    });
  }

  seal(context: string, text: string): Buffer {
    const { id, key } = this.#current;
    const prefix = this.#keys.length > 1 ? Buffer.concat([Buffer.of(NAMED), id]) : Buffer.of(UNNAMED);
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(this.#boundTo(context, prefix));
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([prefix, iv, cipher.getAuthTag(), body]);
  }

  open(context: string, sealed: Buffer): string {
    const parts = partsOf(sealed);
    const keys = this.#keys.filter(({ id }) => parts.id === null || id.equals(parts.id));
    if (keys.length === 0) throw new Error(`there is no key ${parts.id?.toString('hex')}`);
    let failure: unknown;
    for (const { key } of keys)
      try {
        return this.#openWith(key, context, parts);
      } catch (error) {
        failure = error;
      }
    throw failure;
  }

  /** Whether the key that seals also opens this. */
  isCurrent(context: string, sealed: Buffer): boolean {
    const parts = partsOf(sealed);
    if (parts.id !== null && !parts.id.equals(this.#current.id)) return false;
    try {
      this.#openWith(this.#current.key, context, parts);
      return true;
    } catch {
      return false;
    }
  }

  get #current(): SealKey {
    const [first] = this.#keys;
    if (!first) throw new Error('there is no key');
    return first;
  }

  #openWith(key: Buffer, context: string, { prefix, iv, tag, body }: Sealed): string {
    const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES })
      .setAAD(this.#boundTo(context, prefix))
      .setAuthTag(tag);
    return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
  }

  #boundTo(context: string, prefix: Buffer): Buffer {
    const id = prefix.length > 1 ? `:${prefix.toString('hex', 1)}` : '';
    return Buffer.from(`signalbox:${this.kind}:${prefix[0]}${id}:${context}`);
  }
}

function partsOf(sealed: Buffer): Sealed {
  const version = sealed[0];
  if (version !== UNNAMED && version !== NAMED) throw new Error(`there is no sealed text of version ${version}`);
  const start = version === NAMED ? 1 + ID_BYTES : 1;
  const at = { iv: start, tag: start + IV_BYTES, body: start + IV_BYTES + TAG_BYTES };
  return {
    prefix: sealed.subarray(0, start),
    id: version === NAMED ? sealed.subarray(1, start) : null,
    iv: sealed.subarray(at.iv, at.tag),
    tag: sealed.subarray(at.tag, at.body),
    body: sealed.subarray(at.body),
  };
}
