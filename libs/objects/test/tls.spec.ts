import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { openObjectStore } from '@signalbox/objects';
import { type Authority, makeAuthority, type ObjectServer, startObjectServer } from '@signalbox/testing';

const CHECK = fileURLToPath(new URL('./checking-process.js', import.meta.url));
const NOT_TRUSTED = 'the object store cannot be used (the authority of its certificate is not trusted)';

let dir: string;
let right: Authority;
let other: Authority;
let server: ObjectServer;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'signalbox-tls-'));
  [right, other] = [makeAuthority(dir, 'right'), makeAuthority(dir, 'other')];
  server = await startObjectServer();
});
beforeEach(() => certify(right, 'localhost'));
afterAll(async () => {
  await server.stop();
  rmSync(dir, { recursive: true, force: true });
});

async function certify(authority: Authority, name: string): Promise<void> {
  await server.stop();
  await server.restart(authority.issue(name));
}

/** Stores, reads and deletes an object; the message of the error, or `works`. */
async function outcome(caFile?: string): Promise<string> {
  const store = openObjectStore({ OBJECT_STORE_URL: server.urlOverTls(caFile), DATA_DIR: '' }, 'test');
  try {
    await store.check();
    return 'works';
  } catch (error) {
    return (error as Error).message;
  } finally {
    await store.close();
  }
}

describe('a bucket over TLS', () => {
  it('is used with the authority of its certificate and under its name, and with no other', async () => {
    expect(await outcome(right.caFile)).toBe('works');
    expect(await outcome(other.caFile)).toBe(NOT_TRUSTED);
    expect(await outcome()).toBe(NOT_TRUSTED);
    expect(await outcome(join(dir, 'missing.crt'))).toContain('the file of its certificate authority cannot be read');
    await certify(right, 'elsewhere.example');
    expect(await outcome(right.caFile)).toContain('its certificate is for another name');
    // Nothing was said to a server that was not trusted.
    expect(server.calls.map((call) => call.split(' ')[0])).toEqual(['PUT', 'GET', 'DELETE']);
  });

  it('is trusted by a renewed file from the next connection on', async () => {
    const caFile = join(dir, 'renewed.crt');
    copyFileSync(right.caFile, caFile);
    const store = openObjectStore({ OBJECT_STORE_URL: server.urlOverTls(caFile), DATA_DIR: '' }, 'test');
    await store.check();
    await certify(other, 'localhost');
    await expect(store.check()).rejects.toThrow(NOT_TRUSTED);
    copyFileSync(other.caFile, caFile);
    await store.check();
    await store.close();
  });

  it('is used with an authority that Node.js is told to trust, as by the chart', async () => {
    const check = async (caFile: string): Promise<string> => {
      const env = { ...process.env, NODE_EXTRA_CA_CERTS: caFile };
      const { stdout } = await promisify(execFile)(process.execPath, [CHECK, server.urlOverTls()], { env });
      return stdout.trim();
    };
    expect(await check(right.caFile)).toBe('works');
    expect(await check(other.caFile)).toBe(NOT_TRUSTED);
  });
});
