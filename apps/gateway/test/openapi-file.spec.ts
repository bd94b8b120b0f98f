import { readFile } from 'node:fs/promises';
import { CONTRACTS } from '@signalbox/contracts';
import { openApi } from '@signalbox/openapi';
import { ROOT } from '@signalbox/testing';

describe('openapi.json', () => {
  it('equals the document of the contracts (else: node tools/openapi.mjs)', async () => {
    const text = await readFile(`${ROOT}openapi.json`, 'utf8');
    expect(text).toBe(`${JSON.stringify(openApi(CONTRACTS), null, 2)}\n`);
  });
});
