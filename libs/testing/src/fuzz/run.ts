import { parseArgs } from 'node:util';
import { fuzz } from './fuzz.js';

const { values } = parseArgs({
  options: { requests: { type: 'string', default: '50000' }, seed: { type: 'string', default: '1' } },
});
const log = (line: string): void => void process.stdout.write(`${line}\n`);

const { problems, ...report } = await fuzz({ requests: Number(values.requests), seed: Number(values.seed), log });
log(JSON.stringify(report, null, 2));
for (const { times, kind, from, problem, detail, request } of problems)
  log(`\n${times} x ${kind} ${from}: ${problem}\n  ${detail}\n${request.replace(/^/gm, '  | ')}`);
log(problems.length === 0 ? 'every reply was documented' : `${problems.length} kinds of problems`);
process.exitCode = problems.length === 0 ? 0 : 1;
