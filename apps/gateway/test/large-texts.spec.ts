import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Platform } from '@signalbox/testing';

let platform: Platform;
beforeAll(async () => {
  platform = await Platform.shared(['accounts', 'gateway']);
}, 60_000);
afterAll(() => platform?.stop());

/** Refused by the gateway itself, once the whole body is parsed. */
const BODY = `{"nope":"${'x'.repeat(900_000)}"}`;
const FLOOD = 24;

/** Sends a large text but its last byte; `end` sends that and resolves when the refusal arrives. */
async function begun(key: string): Promise<{ end: () => Promise<void> }> {
  const socket: Socket = connect(platform.port, '127.0.0.1').setNoDelay(true);
  const head = `POST /api/v1/agents/1/invoke HTTP/1.1\r\nHost: x\r\nX-Service-Api-Key: ${key}\r\nContent-Type: application/json\r\nContent-Length: ${BODY.length}\r\n\r\n`;
  await new Promise<void>((sent) => void socket.write(head + BODY.slice(0, -1), () => sent()));
  return {
    end: async () => {
      socket.write(BODY.slice(-1));
      const [reply] = (await once(socket, 'data')) as [Buffer];
      socket.destroy();
      expect(reply.toString('latin1', 0, 12)).toBe('HTTP/1.1 400');
    },
  };
}

describe('large texts of one company', () => {
  it('that arrive before one of another company are not all read before it', async () => {
    const [flooding, other] = [await platform.company(), await platform.company()];
    const texts = await Promise.all(Array.from({ length: FLOOD }, () => begun(flooding.key)));
    const text = await begun(other.key);
    const ended: string[] = [];
    const whenEnded = (name: string, { end }: typeof text): Promise<unknown> => end().then(() => ended.push(name));
    await Promise.all([...texts.map((each) => whenEnded('flood', each)), whenEnded('other', text)]);
    expect(ended).toHaveLength(FLOOD + 1);
    expect(ended.indexOf('other')).toBeLessThan(FLOOD / 2);
  }, 60_000);
});
