#!/usr/bin/env node
// Writes openapi.json and the generated parts of the clients from the contracts; with --check it only reports whether
// they are current.

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commandsFile } from './clients/commands.mjs';
import { allPositions, positionsFile } from './clients/positions.mjs';
import { skillFile } from './clients/skill.mjs';
import { pythonAsyncClient, pythonClient, pythonTypes } from './clients/python.mjs';
import { familiesModule, operationsModule, typesModule } from './clients/typescript.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const POSITIONS = 'apps/cli/positions.json';

/** Every generated file by its path in the repository. */
export async function generatedFiles() {
  const { CONTRACTS } = await import('../libs/contracts/dist/src/index.js');
  const { clientDocument, openApi } = await import('../libs/openapi/dist/src/index.js');
  const clients = clientDocument(CONTRACTS);
  const recorded = await readFile(join(ROOT, POSITIONS), 'utf8').catch(() => '{}');
  const positions = allPositions(clients, JSON.parse(recorded));
  return {
    'openapi.json': `${JSON.stringify(openApi(CONTRACTS), null, 2)}\n`,
    'apps/cli/commands.json': commandsFile(clients, positions),
    [POSITIONS]: positionsFile(positions),
    'clients/skill/SKILL.md': skillFile(clients),
    'clients/python/signalbox/client.py': pythonClient(clients),
    'clients/python/signalbox/async_client.py': pythonAsyncClient(clients),
    'clients/python/signalbox/types.py': pythonTypes(clients),
    'libs/sdk/src/generated/types.ts': typesModule(clients),
    'libs/sdk/src/generated/families.ts': familiesModule(clients),
    'libs/sdk/src/generated/operations.ts': operationsModule(clients),
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [path, text] of Object.entries(await generatedFiles())) {
    const file = join(ROOT, path);
    if (!process.argv.includes('--check')) {
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
    } else if ((await readFile(file, 'utf8').catch(() => '')) !== text) {
      process.stderr.write(`${path} is not current: node tools/openapi.mjs\n`);
      process.exitCode = 1;
    }
  }
}
