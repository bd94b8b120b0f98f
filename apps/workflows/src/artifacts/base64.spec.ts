import { bytesOfBase64 } from './base64.js';

it.each([
  ['', ''],
  ['aGk=', 'hi'],
  ['aGkh', 'hi!'],
])('%j has the bytes of %j', (text, expected) => expect(bytesOfBase64(text)?.toString()).toBe(expected));

it.each(['aGk', 'a===', 'aG k', 'aGk_', '===='])('%j is none', (text) => expect(bytesOfBase64(text)).toBeNull());
