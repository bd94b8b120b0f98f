import { spawnSync } from 'node:child_process';
import { CONTRACTS } from '@signalbox/contracts';
import { clientDocument } from '@signalbox/openapi';
import { createClient } from '@signalbox/sdk';
import { ROOT } from '@signalbox/testing';

describe('the generated parts of the clients', () => {
  it('are those of the contracts (else: node tools/openapi.mjs)', () => {
    const { status, stderr } = spawnSync(process.execPath, [`${ROOT}tools/openapi.mjs`, '--check'], {
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  it('have a method for every public endpoint', () => {
    const client = createClient({ apiKey: 'k' }) as unknown as Record<string, Record<string, unknown>>;
    const missing = clientDocument(CONTRACTS).operations.filter(
      ({ family, verb }) => typeof client[family]?.[verb] !== 'function',
    );
    expect(missing).toEqual([]);
  });
});
