export const HELP = `signalbox <command>

  start                                     run the whole platform here (the same as npm start)
  demo                                      walk through the main job against the running platform
  admin COMMAND                             companies, keys and what deployments need (signalbox admin --help)
  migrate                                   bring the schemas of DATABASE_URL up to date and end
  service NAME                              be one service in this process, as containers do
  help                                      this page

Settings come from the environment: PORT, HOST, DATA_DIR, DATABASE_URL, NATS_URL, NATS_SERVER_BIN, OBJECT_STORE_URL,
MASTER_KEY, EGRESS_ALLOW, PUBLIC_URL, INVOKE_TIMEOUT_SECONDS, RATE_LIMIT_RPS, LOG_LEVEL. All are optional.`;
