import { CLI_COMMANDS } from '@signalbox/openapi';
import { readCatalog } from './client/catalog.js';
import { clientHelp } from './client/command-help.js';

const WIDTH = 42;

const lines = Object.entries(CLI_COMMANDS).map(
  ([name, { usage, description }]) => `  ${`${name} ${usage}`.padEnd(WIDTH)}${description}`,
);

export const help = (): string => `signalbox <command>

${lines.join('\n')}

${clientHelp(readCatalog())}

Settings of the platform come from the environment: PORT, HOST, DATA_DIR, DATABASE_URL, NATS_URL, NATS_SERVER_BIN, OBJECT_STORE_URL,
MASTER_KEY, MASTER_KEY_NEXT, MASTER_KEY_PREVIOUS, EGRESS_ALLOW, PUBLIC_URL, INVOKE_TIMEOUT_SECONDS, RATE_LIMIT_RPS, LOG_LEVEL. All are optional.`;
