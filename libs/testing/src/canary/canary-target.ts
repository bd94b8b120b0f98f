import { hooks } from '@signalbox/contracts';
import type { TargetCall, TargetReply } from '../fakes/http-target.js';
import type { SearchingClient } from './searching-client.js';

export function receivedBy({ headers }: TargetCall): string {
  const basic = /^Basic (.+)$/.exec(headers.authorization ?? '')?.[1];
  const decoded = basic === undefined ? '' : Buffer.from(basic, 'base64').toString();
  return [...Object.values(headers).flat(), decoded].join('\n');
}

const everyEncoding = (text: string): string =>
  JSON.stringify({
    text,
    url: encodeURIComponent(text),
    json: JSON.stringify({ text }),
    base64: ['', 'a', 'ab'].map((before) => Buffer.from(before + text).toString('base64')),
    hex: Buffer.from(text).toString('hex'),
    backwards: [...text].reverse().join(''),
  });

export const onceEncoded = (text: string): string =>
  [
    text,
    encodeURIComponent(text),
    ...['', 'a', 'ab'].map((before) => Buffer.from(before + text).toString('base64')),
    Buffer.from(text).toString('hex'),
    [...text].reverse().join(''),
  ].join(' ');

/** Echoes everything it receives, and sometimes fails, hangs or calls back. */
export class CanaryTarget {
  constructor(private readonly client: SearchingClient) {}

  readonly answer = (call: TargetCall): TargetReply => {
    const secrets = receivedBy(call).split('\n');
    const body = everyEncoding(secrets.join(' ')) + secrets.map(everyEncoding).join();
    const headers = { 'content-type': 'text/plain', 'x-echo': encodeURIComponent(secrets.join(' ')).slice(0, 4000) };
    if (call.path.startsWith('/hang')) return { hang: true };
    if (call.path.startsWith('/order')) void this.callBack(call, body);
    const status = Number(/^\/status\/(\d+)/.exec(call.path)?.[1] ?? 200);
    return { status, headers, body };
  };

  private async callBack(call: TargetCall, payload: string): Promise<void> {
    const { reply_to: url } = JSON.parse(call.body.toString()) as { reply_to: string };
    await new Promise((resolve) => setTimeout(resolve, 300));
    const input = { hook_key: url.split('/').at(-1), payload: { said: payload } };
    await this.client.send(hooks.endpoints.answerHook, input, { open: true });
  }
}
