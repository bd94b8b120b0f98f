import { execFileSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Authority {
  caFile: string;
  /** For a name and the loopback address. */
  issue(name: string): { certFile: string; keyFile: string };
}

const CURVE = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
const openssl = (...words: string[]): void => void execFileSync('openssl', words, { stdio: 'pipe' });

/** By openssl, into an existing directory. */
export function makeAuthority(dir: string, name: string): Authority {
  const [caFile, caKey] = [join(dir, `${name}.crt`), join(dir, `${name}.key`)];
  openssl('req', '-x509', ...CURVE, '-subj', `/CN=${name}`, '-keyout', caKey, '-out', caFile);
  return {
    caFile,
    issue(server) {
      const at = join(dir, `${name}-${server}`);
      const [certFile, keyFile] = [`${at}.crt`, `${at}.key`];
      const names = `subjectAltName=DNS:${server}${server === 'localhost' ? ',IP:127.0.0.1' : ''}`;
      openssl('req', ...CURVE, '-subj', `/CN=${server}`, '-keyout', keyFile, '-out', `${at}.csr`);
      writeFileSync(`${at}.ext`, names);
      const signing = ['-req', '-in', `${at}.csr`, '-CA', caFile, '-CAkey', caKey, '-CAcreateserial', '-days', '2'];
      openssl('x509', ...signing, '-extfile', `${at}.ext`, '-out', certFile);
      chmodSync(keyFile, 0o600);
      return { certFile, keyFile };
    },
  };
}
