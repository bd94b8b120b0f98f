// Makes the pictures in docs/images from those that the tests of the portal's pages take.
//   node tools/images.mjs [--keep]      --keep takes the pictures of the last run
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** The picture of a test, by the name that it has in the documents. */
const IMAGES = {
  workflow: 'workflow-ran',
  run: 'run-long',
  compare: 'compare-light',
  release: 'releases-move-blocked',
};
const SPECS = ['workflows', 'runs', 'tests', 'releases'].map((name) => `test/system/dist/portal-${name}.spec.js`);

if (!process.argv.includes('--keep'))
  for (const spec of SPECS) {
    const { status } = spawnSync(process.execPath, ['tools/test.mjs', '-i', spec], { cwd: ROOT, stdio: 'inherit' });
    if (status !== 0) process.exit(1);
  }
mkdirSync(`${ROOT}docs/images`, { recursive: true });
for (const [name, picture] of Object.entries(IMAGES))
  copyFileSync(`${ROOT}.cache/portal-screens/${picture}.png`, `${ROOT}docs/images/${name}.png`);
