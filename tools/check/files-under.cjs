'use strict';

const { existsSync, readdirSync } = require('node:fs');
const { join } = require('node:path');

const NEVER = new Set(['node_modules', 'dist', 'fixtures']);

/** Source files under a folder of the root that pass the test, relative to the root. */
function filesUnder(root, folder, test) {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return NEVER.has(entry.name) ? [] : filesUnder(root, path, test);
    return test(path) ? [path] : [];
  });
}

module.exports = { filesUnder };
