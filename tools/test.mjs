// Runs the test suite over the compiled specs; `--long` runs the long ones instead, `--with-long=NAME,NAME` some of them as
// well. All other arguments go to jest.
import { execFileSync, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const long = process.argv.includes('--long');
const withLong = process.argv.find((argument) => argument.startsWith('--with-long='))?.slice('--with-long='.length);
const given = process.argv.slice(2).filter((argument) => !/^--(long$|with-long=)/.test(argument));
const choosesWorkers = given.some((argument) => /^(-i|-w\b|-w=|--runInBand|--maxWorkers)/.test(argument));
// Much of a run is waiting for time to pass, so three files at once suit two cores. The long ones load the machine
// themselves.
const WORKERS = long ? 1 : 3;
const jest = ['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js'];

// The services run as they are shipped.
execFileSync(process.execPath, ['tools/bundle.mjs'], { cwd: root, stdio: 'inherit' });

const child = spawn(process.execPath, [...jest, ...(choosesWorkers ? [] : [`--maxWorkers=${WORKERS}`]), ...given], {
  cwd: root,
  stdio: 'inherit',
  env: {
    ...process.env,
    ...(long ? { LONG_TESTS: '1' } : {}),
    ...(withLong ? { WITH_LONG: withLong } : {}),
    NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --experimental-vm-modules`.trim(),
  },
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.once('exit', (code) => (process.exitCode = code ?? 1));
