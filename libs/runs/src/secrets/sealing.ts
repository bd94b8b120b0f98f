import {
  createCipheriv,
  createDecipheriv,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const DER = { type: 'spki', format: 'der' } as const;
/** Bytes: an X25519 key as DER, the nonce, the tag. */
const SIZES = { key: 44, iv: 12, tag: 16 };

/** Of a process that can take over secrets; the private key never leaves its memory. */
export class SealingKeys {
  private readonly pair = generateKeyPairSync('x25519');
  readonly publicKey = this.pair.publicKey.export(DER).toString('base64');

  /** Throws for another key pair or context. */
  open(sealed: string, context: string): string {
    const bytes = Buffer.from(sealed, 'base64');
    const at = { iv: SIZES.key, tag: SIZES.key + SIZES.iv, text: SIZES.key + SIZES.iv + SIZES.tag };
    const sender = bytes.subarray(0, SIZES.key);
    const key = secretOf(this.pair.privateKey, sender, sender, Buffer.from(this.publicKey, 'base64'));
    const decipher = createDecipheriv(CIPHER, key, bytes.subarray(at.iv, at.tag)).setAAD(Buffer.from(context));
    decipher.setAuthTag(bytes.subarray(at.tag, at.text));
    return Buffer.concat([decipher.update(bytes.subarray(at.text)), decipher.final()]).toString('utf8');
  }
}

/** With an ephemeral key pair (X25519, HKDF, AES-256-GCM). */
export function sealFor(publicKey: string, text: string, context: string): string {
  const recipient = Buffer.from(publicKey, 'base64');
  const { privateKey, publicKey: own } = generateKeyPairSync('x25519');
  const sender = own.export(DER);
  const iv = randomBytes(SIZES.iv);
  const cipher = createCipheriv(CIPHER, secretOf(privateKey, recipient, sender, recipient), iv);
  cipher.setAAD(Buffer.from(context));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([sender, iv, cipher.getAuthTag(), sealed]).toString('base64');
}

function secretOf(privateKey: KeyObject, publicKey: Buffer, sender: Buffer, recipient: Buffer): Buffer {
  const shared = diffieHellman({ privateKey, publicKey: createPublicKey({ key: publicKey, ...DER }) });
  return Buffer.from(hkdfSync('sha256', shared, Buffer.concat([sender, recipient]), 'signalbox task secrets', 32));
}
