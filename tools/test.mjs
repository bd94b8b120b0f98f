// Runs the compiled specs of the services and libraries; `--all` runs those of the whole platform as well, `--long` the long
// ones instead, `--with-long=NAME,NAME` some of them as well. All other arguments go to jest; files that they name are found
// wherever they are.
import { execFileSync, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { measureTimeScale, workersFor } from './jest/time-scale.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const long = process.argv.includes('--long');
const withLong = process.argv.find((argument) => argument.startsWith('--with-long='))?.slice('--with-long='.length);
const given = process.argv.slice(2).filter((argument) => !/^--(all$|long$|with-long=)/.test(argument));
const all = process.argv.includes('--all') || given.some((argument) => !argument.startsWith('-'));
const choosesWorkers = given.some((argument) => /^(-i|-w\b|-w=|--runInBand|--maxWorkers)/.test(argument));
// Much of a run is waiting for time to pass, so three files at once suit two cores. The long ones load the machine
// themselves.
const USUAL_WORKERS = long ? 1 : 3;
const jest = ['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js'];

// The services run as they are shipped.
execFileSync(process.execPath, ['tools/bundle.mjs'], { cwd: root, stdio: 'inherit' });
execFileSync(process.execPath, ['tools/portal.mjs'], { cwd: root, stdio: 'inherit' });

const measured = measureTimeScale();
// In CI other checks begin next to the tests after this measurement, which says nothing of processes and memory either.
const scale = Math.max(process.env.CI ? 3 : 1, measured.scale);
if (scale > 1)
  console.log(`Time limits are ${scale.toFixed(1)} times as long as on the machine they were written for.`);
if (measured.waiting > 0.1) console.log(`Other work takes ${Math.round(100 * measured.waiting)} % of the time.`);
const workers = choosesWorkers ? [] : [`--maxWorkers=${workersFor(measured, USUAL_WORKERS)}`];
const child = spawn(process.execPath, [...jest, ...workers, ...given], {
  cwd: root,
  stdio: 'inherit',
  env: {
    ...process.env,
    ...(all ? { SYSTEM_TESTS: '1' } : {}),
    ...(long ? { LONG_TESTS: '1' } : {}),
    ...(withLong ? { WITH_LONG: withLong } : {}),
    TEST_TIME_SCALE: String(scale),
    REFUSE_CALLS_IN_TRANSACTIONS: 'true',
    NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --experimental-vm-modules`.trim(),
  },
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.once('exit', (code) => (process.exitCode = code ?? 1));
