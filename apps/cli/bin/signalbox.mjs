#!/usr/bin/env node
import { existsSync } from 'node:fs';

// The first process of a container ignores signals without a handler, and loading a program takes a second: until the
// program sets its own handlers, a signal to stop ends the process.
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
])
  process.on(signal, () => process.exit(code));

const compiled = new URL('../../../dist/services/cli.js', import.meta.url);
if (existsSync(compiled)) {
  const { main } = await import(compiled.href);
  process.exitCode = await main(process.argv.slice(2));
} else {
  process.stderr.write('signalbox is not compiled yet: run "npm run build" (npm start builds too)\n');
  process.exitCode = 1;
}
