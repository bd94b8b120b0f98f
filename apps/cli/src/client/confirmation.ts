import { createInterface } from 'node:readline/promises';
import type { Command } from './catalog.js';
import { UsageError } from './usage-error.js';

/** Refused without a terminal and without `--yes`. */
export async function confirm({ destroys }: Command, isConfirmed: boolean): Promise<void> {
  if (destroys === undefined || isConfirmed) return;
  if (!process.stdin.isTTY) throw new UsageError(`this destroys ${destroys} for ever: repeat it with --yes`);
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await prompt.question(`This destroys ${destroys} for ever. Type yes to go on: `);
    if (answer.trim() !== 'yes') throw new UsageError('nothing was deleted');
  } finally {
    prompt.close();
  }
}
