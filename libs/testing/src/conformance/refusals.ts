import type { Endpoint } from '@signalbox/contracts';
import { badRequestsFor, isScanned, type Junk } from './junk.js';
import { errorProblems } from './outputs.js';
import type { RawHttpReply } from './raw-client.js';

type SendBad = (values: Record<string, unknown>) => Promise<RawHttpReply>;

const valuesOf = (junk: readonly Junk[]): Record<string, unknown> =>
  Object.fromEntries(junk.map(({ field, value }) => [field, value]));

const textOf = (junk: readonly Junk[]): string =>
  junk.map(({ field, value }) => `${field} = ${JSON.stringify(value).slice(0, 40)}`).join(', ');

const isNamed = ({ text }: RawHttpReply, field: string): boolean =>
  ['"', '.', '['].some((end) => text.includes(`"field":"${field}${end}`));

function problemsOf(reply: RawHttpReply, junk: readonly Junk[]): string[] {
  const wrong = errorProblems(reply, [400]).map((problem) => `${textOf(junk)}: ${problem}`);
  const unnamed = junk.filter((each) => !isScanned(each) && !isNamed(reply, each.field));
  return wrong.length > 0 || unnamed.length === 0 ? wrong : [`${textOf(unnamed)}: details do not name it`];
}

export async function refusalProblems(endpoint: Endpoint, send: SendBad): Promise<string[]> {
  const problems: string[] = [];
  for (const junk of badRequestsFor(endpoint)) {
    const found = problemsOf(await send(valuesOf(junk)), junk);
    if (found.length === 0) continue;
    // An earlier check may have refused the request: alone, each field has to be named.
    for (const each of junk) problems.push(...problemsOf(await send(valuesOf([each])), [each]));
  }
  return problems;
}
