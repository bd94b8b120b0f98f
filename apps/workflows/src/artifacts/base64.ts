const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** The bytes of a base64 text; null for a text that is none. */
export function bytesOfBase64(text: string): Buffer | null {
  return text.length % 4 === 0 && BASE64.test(text) ? Buffer.from(text, 'base64') : null;
}
