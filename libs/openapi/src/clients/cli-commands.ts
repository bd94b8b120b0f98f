/** What the command line says about one of its commands. */
export interface CommandHelp {
  /** The options after the name. */
  usage: string;
  description: string;
}

/** The commands `signalbox …`, in the order of their help. */
export const CLI_COMMANDS = {
  start: { usage: '', description: 'run the whole platform here (the same as npm start)' },
  demo: { usage: '[workflows]', description: 'walk through the main job, or run the example workflows' },
  up: {
    usage: '--domain NAME [OPTIONS]',
    description: 'run the platform in containers on this machine, with TLS (signalbox up --help)',
  },
  upgrade: {
    usage: '[--image NAME] [--plan]',
    description:
      'bring what `up` has made to this release: backup, migrations, service by service, and back on failure',
  },
  portal: {
    usage: '[--open] [--company ID]',
    description: 'print a link that signs a browser in to the portal once',
  },
  admin: {
    usage: 'COMMAND',
    description: 'companies, keys and what deployments need (signalbox admin --help)',
  },
  migrate: { usage: '', description: 'bring the schemas of DATABASE_URL up to date and end' },
  service: { usage: 'NAME', description: 'run one service in this process, as containers do' },
  login: { usage: '[--url URL]', description: 'check an API key from standard input and store it' },
  logout: { usage: '', description: 'delete the stored API key' },
  profile: {
    usage: 'list|add|use|remove [NAME]',
    description: 'keep API keys and addresses under names (signalbox profile --help)',
  },
  whoami: { usage: '[--json]', description: 'print the API key in use, its company and its scopes' },
  listen: {
    usage: '--forward-to URL [OPTIONS]',
    description: 'send events to an address of this machine as webhooks would (signalbox listen --help)',
  },
  eval: {
    usage: '--set S --agent A [OPTIONS]',
    description: 'run a test set, say what became worse, exit with 5 below the bar (signalbox eval --help)',
  },
  gate: {
    usage: '--agent A --release R --version V',
    description: 'say whether a version may run under a release, exit with 5 when not (signalbox gate --help)',
  },
  completion: { usage: 'bash|zsh|fish', description: 'print the completion script of a shell' },
  help: { usage: '', description: 'this page' },
} as const satisfies Record<string, CommandHelp>;

/** The commands `signalbox admin …`, in the order of their help. */
export const ADMIN_COMMANDS = {
  'create-company': {
    usage: '--name NAME',
    description: 'create a company and print its first key, which has every scope',
  },
  'create-key': {
    usage: '--company ID --name NAME --scopes read,write',
    description: 'add a key to a company and print it',
  },
  'list-companies': { usage: '', description: 'print all companies' },
  'allow-egress': {
    usage: '--company ID (--allow host:port[,…] | --clear)',
    description: 'replace the list of private addresses a company may call',
  },
  'dead-letters list': {
    usage: '[--service NAME] [--consumer NAME]',
    description: 'print the messages that could not be applied, without their content',
  },
  'dead-letters replay': {
    usage: '--service NAME (--id ID | --all [--consumer NAME])',
    description: 'apply them again; those that still fail stay',
  },
  'dead-letters drop': {
    usage: '--service NAME (--id ID | --all [--consumer NAME])',
    description: 'delete them permanently',
  },
  'discarded-events list': {
    usage: '[--service NAME]',
    description: 'count the messages of the last day that the stream of events has discarded',
  },
  'discarded-events resend': {
    usage: '[--service NAME]',
    description: 'send them again; a consumer that has read one drops it',
  },
  'list-quarantined': {
    usage: '',
    description: 'print the recorded model calls below DATA_DIR that the database refuses, without their content',
  },
  'replay-quarantined': { usage: '(--id ID | --all)', description: 'store quarantined records again' },
  'drop-quarantined': { usage: '(--id ID | --all)', description: 'delete quarantined records permanently' },
  doctor: {
    usage: '[--json]',
    description: 'look at a whole running platform, say what to do, and exit with 1 when there is a problem',
  },
  backup: {
    usage: '[--to FOLDER]',
    description: 'copy all tables and objects, while the platform runs, to a new folder or to BACKUP_URL',
  },
  backups: {
    usage: '[--to FOLDER] [--at HH:MM | --once | --prune] [--keep 7]',
    description:
      'back up below FOLDER or BACKUP_URL every day at a time (UTC) or once, verify it, and keep the latest ones of a folder; with --prune, the latter alone',
  },
  verify: {
    usage: '[--from FOLDER]',
    description: 'read a whole backup and compare it with its checksums',
  },
  restore: {
    usage: '[--from FOLDER]',
    description: 'make the platform of a backup in an empty database, before its services start',
  },
  'rotate-master-key': {
    usage: '[--check]',
    description:
      'seal what is stored with MASTER_KEY in place of MASTER_KEY_PREVIOUS, or count what is left to do and change nothing',
  },
  'nats-config': {
    usage:
      '[--host 0.0.0.0] [--port 4222] [--monitor-port 8222] [--store-dir /data] [--routes nats-0,nats-1,nats-2] [--tls-cert FILE --tls-key FILE [--tls-client-ca FILE]]',
    description: 'print the configuration of a nats-server with the users and rights of all services',
  },
  'role-urls': { usage: '[--service NAME] [--env]', description: 'print the logins and keys of each service' },
} as const satisfies Record<string, CommandHelp>;

/** The name of a command `signalbox admin …`. */
export type AdminCommand = keyof typeof ADMIN_COMMANDS;
