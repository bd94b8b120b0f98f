import { BENCHES } from './benches.js';
import { machine } from './measure/report.js';
import { Setups } from './setups.js';

const args = process.argv.slice(2);
const tiny = args.includes('--tiny');
/** Rounds of each bench after its warm-up. */
const rounds = Number(/--rounds=(\d+)/.exec(args.join(' '))?.[1] ?? (tiny ? 1 : 5));
const items = Number(/--items=(\d+)/.exec(args.join(' '))?.[1]) || undefined;
const flood = /--flood=(\S+)/.exec(args.join(' '))?.[1];
const withoutBase = args.includes('--without-base');
const names = args.filter((arg) => !arg.startsWith('--'));
/** A name selects every bench that begins with it: `chat` for `chat-rate` and the others. */
const isMeant = (bench: string): boolean =>
  names.some((name) => bench === name || (name === 'chat' && bench.startsWith('chat-')));
const chosen = names.includes('all') ? BENCHES : BENCHES.filter(({ name }) => isMeant(name));
const known = BENCHES.map(({ name, description }) => `  ${name.padEnd(16)}${description}`).join('\n');

if (chosen.length === 0) {
  console.log(
    `npm run bench -- <name>… [--tiny] [--rounds=N] [--items=N] [--flood=NAME] [--without-base]   or   npm run bench -- all\n${known}`,
  );
  process.exitCode = names.length > 0 ? 1 : 0;
} else {
  console.log(machine());
  const setups = new Setups(tiny);
  try {
    for (const bench of chosen) {
      console.log(`\n${bench.name}`);
      const verdicts = await bench.run({ tiny, rounds, items, flood, withoutBase, setups });
      if (verdicts.some(({ errors }) => errors > 0)) process.exitCode = 1;
    }
  } finally {
    await setups.stop();
  }
}
