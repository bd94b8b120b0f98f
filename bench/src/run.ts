import { BENCHES } from './benches.js';
import { machine } from './measure/report.js';

const args = process.argv.slice(2);
const tiny = args.includes('--tiny');
const names = args.filter((arg) => !arg.startsWith('--'));
const chosen = names.includes('all') ? BENCHES : BENCHES.filter(({ name }) => names.includes(name));
const known = BENCHES.map(({ name, says }) => `  ${name.padEnd(16)}${says}`).join('\n');

if (chosen.length === 0) {
  console.log(`npm run bench -- <name>… [--tiny]   or   npm run bench -- all\n${known}`);
  process.exitCode = names.length > 0 ? 1 : 0;
} else {
  console.log(machine());
  for (const bench of chosen) {
    const verdicts = await bench.run({ tiny, rounds: tiny ? 1 : 5 });
    if (verdicts.some(({ errors }) => errors > 0)) process.exitCode = 1;
  }
}
