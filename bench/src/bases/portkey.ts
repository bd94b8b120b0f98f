import { answer } from '../measure/answer.js';

// Portkey's open gateway as its package starts it, without its console. It records none of the calls it forwards.

process.argv.push(`--port=${process.env.PORT}`, '--headless');
// Its start-up spinner writes to standard output all the time.
console.log = () => undefined;
process.stdout.write = () => true;
// @ts-expect-error The package has no types.
await import('@portkey-ai/gateway/build/start-server.js');
const until = Date.now() + 20_000;
const isUp = (): Promise<boolean> =>
  fetch(`http://127.0.0.1:${process.env.PORT}/`).then(
    () => true,
    () => false,
  );
while (!(await isUp()) && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 50));
answer(
  () => Promise.resolve(null),
  // It cannot be asked to end.
  () => Promise.resolve(void process.kill(process.pid, 'SIGKILL')),
);
