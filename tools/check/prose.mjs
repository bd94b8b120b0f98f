// Checks the words of documents and settings: everything that people read and ESLint does not.

import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { phrasesIn } from './words.mjs';

const require = createRequire(import.meta.url);
const { filesUnder } = require('./files-under.cjs');

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FOLDERS = ['apps', 'bench', 'clients', 'docker', 'docs', 'examples', 'k8s', 'libs', 'test', 'tools'];
const IS_PROSE = /\.(md|ya?ml|py|sh|conf|html|css)$|(^|\/)Dockerfile$/;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const files = [...readdirSync(ROOT), ...FOLDERS.flatMap((folder) => filesUnder(ROOT, folder, () => true))];
  const found = files
    .filter((file) => IS_PROSE.test(file))
    .flatMap((file) => phrasesIn(readFileSync(join(ROOT, file), 'utf8')).map((each) => ({ file, ...each })));
  for (const { file, line, phrase, instead } of found)
    console.error(`${file}:${line} «${phrase}» is not used here: write ${instead}`);
  process.exitCode = found.length > 0 ? 1 : 0;
}
