// Remembers what a bundle was made of, so that it is not made again of the same.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const RECORD = 'inputs.json';

/** Names, sizes and times: cheap, and wrong only towards bundling too often. */
function statesOf(root, paths) {
  return Object.fromEntries(
    paths.map((path) => {
      const state = statSync(join(root, path), { throwIfNoEntry: false });
      return [path, state ? `${state.size} ${state.mtimeMs}` : 'absent'];
    }),
  );
}

/** What decides about a bundle and is not in it. */
const OWN = ['tools/bundle.mjs', 'package-lock.json', 'libs/servers/dist/src/node-flags.js'];

function recordOf(root, choice, paths) {
  const tools = readdirSync(join(root, 'tools/bundle')).map((name) => `tools/bundle/${name}`);
  return JSON.stringify({
    node: process.version,
    choice,
    tools: statesOf(root, [...OWN, ...tools]),
    inputs: statesOf(root, paths),
  });
}

/** True when the folder has a complete bundle of this choice of services and flags, and of the inputs as they are. */
export function isCurrent(root, out, choice) {
  try {
    const record = readFileSync(join(out, RECORD), 'utf8');
    return record === recordOf(root, choice, Object.keys(JSON.parse(record).inputs));
  } catch {
    return false;
  }
}

/** Records the inputs of a bundle that is complete. */
export function recordInputs(root, out, choice, paths) {
  writeFileSync(join(out, RECORD), recordOf(root, choice, paths));
}
