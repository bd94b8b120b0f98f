// Keeps a processor busy until its standard input ends, which it also does when the process that started it is killed.
const TURN_MS = 100;

process.stdin.on('close', () => process.exit()).resume();

function spin() {
  const until = performance.now() + TURN_MS;
  while (performance.now() < until);
  setImmediate(spin);
}

spin();
