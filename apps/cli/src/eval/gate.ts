import { describeFailure, exitCodeOf } from '../client/failures.js';
import { connectedClient } from '../client/run-command.js';
import { parseOptions } from '../client/parse-options.js';
import { UsageError } from '../client/usage-error.js';
import { idOf } from './named.js';

const GATE_HELP = `signalbox gate --agent A --release R --version V [--json]

Asks whether a version of an agent, by name or id, may run under a release: for a deployment of an agent that runs
elsewhere, too. Nothing is moved. The key needs the scope read.

Exits with 0 when the gate lets the version pass, or the release has none, and with 5 when it does not; the reasons are printed.`;

const TEXT = { type: 'string' } as const;
const FLAG = { type: 'boolean' } as const;
const OPTIONS = { agent: TEXT, release: TEXT, version: TEXT, json: FLAG, help: FLAG } as const;
const REFUSED = 5;

function required(name: string, value: string | undefined): string {
  if (value === undefined) throw new UsageError(`missing: --${name}`);
  return value;
}

export async function gateCommand(words: string[], environment: NodeJS.ProcessEnv): Promise<number> {
  try {
    const values = parseOptions({ args: words, options: OPTIONS }).values;
    if (values.help) {
      console.log(GATE_HELP);
      return 0;
    }
    const [agent, release_name, version] = (['agent', 'release', 'version'] as const).map((name) =>
      required(name, values[name]),
    ) as [string, string, string];
    const client = connectedClient(environment);
    const agent_id = await idOf(client, 'agent', agent);
    const result = await client.agents.checkRelease({ agent_id, release_name, version });
    if (values.json) console.log(JSON.stringify(result));
    else if (result.passed) console.log(`version ${version} may run under release ${release_name}`);
    else console.log([`version ${version} may not run under release ${release_name}:`, ...result.reasons].join('\n  '));
    return result.passed ? 0 : REFUSED;
  } catch (error) {
    console.error(`signalbox gate: ${describeFailure(error)}`);
    return exitCodeOf(error);
  }
}
