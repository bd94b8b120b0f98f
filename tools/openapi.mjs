#!/usr/bin/env node
// Writes openapi.json from the contracts; with --check it only reports whether the file is current.

import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const FILE = fileURLToPath(new URL('../openapi.json', import.meta.url));

/** The document in the format of the file. */
export async function openApiText() {
  const { CONTRACTS, openApi } = await import('../libs/contracts/dist/src/index.js');
  return `${JSON.stringify(openApi(CONTRACTS), null, 2)}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const text = await openApiText();
  if (!process.argv.includes('--check')) await writeFile(FILE, text);
  else if ((await readFile(FILE, 'utf8').catch(() => '')) !== text) {
    process.stderr.write('openapi.json is not current: node tools/openapi.mjs\n');
    process.exitCode = 1;
  }
}
