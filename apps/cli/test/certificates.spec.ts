import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findNatsServer, freePort } from '@signalbox/servers';
import { eventually } from '@signalbox/testing';
import { certificateFinding, certificateFindings } from '../src/admin/doctor/certificates.js';

// Of localhost, valid until 2100, signed by itself; it protects nothing.
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgmHnR5o9IttJdnaEl
mz9+13Jphx2f3J6grU3aI7+HR4+hRANCAAQ+RFjcZ6u/FCibjmXczAkrPW/OQkHA
OINpddLQXQ/2HUMWhutC9g4qQd7QiF9DOHuWOmL6zambiuvm27RgKZA9
-----END PRIVATE KEY-----`;
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBgDCCASWgAwIBAgIUA+7r+IwVPZqy4ALYs8uMdsBVLNcwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyNDEyMTAzOVoYDzIxMDAxMDI3
MTIxMDM5WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAQ+RFjcZ6u/FCibjmXczAkrPW/OQkHAOINpddLQXQ/2HUMWhutC9g4q
Qd7QiF9DOHuWOmL6zambiuvm27RgKZA9o1MwUTAdBgNVHQ4EFgQUsRNSR4ZFAaYf
VL+VRUPLjJFltKswHwYDVR0jBBgwFoAUsRNSR4ZFAaYfVL+VRUPLjJFltKswDwYD
VR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNJADBGAiEA1gLjbDhm2E8jwTHUM8BX
8Sxw1Pim8ng+LqsuhvSrbU8CIQCKe7KOynnF97QJqRKYBfGVXQHzgpQKqSwN4Bja
oY73Mg==
-----END CERTIFICATE-----`;

const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000 + 3_600_000).toUTCString();

describe('the date of a certificate', () => {
  it.each([
    [90, 'ok', 'its certificate is valid for 90 days'],
    [20, 'warning', 'its certificate is valid for 20 days'],
    [3, 'problem', 'its certificate is valid for 3 days'],
    [-2, 'problem', 'its certificate expired on'],
  ])('in %i days is %s', (days, state, found) =>
    expect(certificateFinding('x', inDays(days))).toMatchObject({ state, found: expect.stringContaining(found) }),
  );

  it('is asked for over HTTPS', async () => {
    const server = createServer({ key: KEY, cert: CERTIFICATE }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    try {
      const found = await certificateFindings('front', `https://127.0.0.1:${port}`);
      expect(found).toMatchObject([
        { area: 'front', state: 'ok', found: expect.stringMatching(/valid for \d{5} days/) },
      ]);
    } finally {
      server.close();
    }
    expect(await certificateFindings('front', `https://127.0.0.1:${port}`)).toMatchObject([{ state: 'problem' }]);
    expect(await certificateFindings('front', `http://127.0.0.1:${port}`)).toEqual([]);
  });

  it('is asked for over the protocol of NATS', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'certificates-'));
    const port = await freePort();
    const file = (name: string): string => join(folder, name);
    await writeFile(file('key.pem'), KEY);
    await writeFile(file('cert.pem'), CERTIFICATE);
    const tls = `tls { cert_file: "${file('cert.pem')}", key_file: "${file('key.pem')}" }`;
    await writeFile(file('nats.conf'), `listen: "127.0.0.1:${port}"\n${tls}\n`);
    const server = spawn(findNatsServer({ path: process.env.PATH ?? '' }), ['-c', file('nats.conf')], {
      stdio: 'ignore',
    });
    try {
      const ask = () => certificateFindings('bus', `tls://127.0.0.1:${port}`);
      await eventually('the certificate is found', async () => (await ask())[0]?.state === 'ok');
    } finally {
      server.kill('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    }
  }, 60_000);
});
