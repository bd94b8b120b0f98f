import { permittedJails } from '../../../src/pool/jail.js';

// Says which jails the system permits to the user of this process: each starts with the programs around the child.
const [program = '', ...readable] = process.argv.slice(2);
const SLOT = 7;
const jails = [...permittedJails(program, readable)].map((jail) => ({
  level: jail.level,
  parts: jail.parts,
  command: jail.commandOf(SLOT),
}));
process.stdout.write(JSON.stringify(jails));
