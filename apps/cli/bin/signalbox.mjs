#!/usr/bin/env node
import { existsSync } from 'node:fs';

const compiled = new URL('../dist/src/main.js', import.meta.url);
if (existsSync(compiled)) {
  const { main } = await import(compiled.href);
  process.exitCode = await main(process.argv.slice(2));
} else {
  process.stderr.write('signalbox is not compiled yet: run "npm run build" (npm start does it by itself)\n');
  process.exitCode = 1;
}
