const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Null for invalid base64, which `Buffer.from` would accept. */
export function bytesOfBase64(text: string): Buffer | null {
  return text.length % 4 === 0 && BASE64.test(text) ? Buffer.from(text, 'base64') : null;
}
