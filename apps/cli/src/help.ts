export const HELP = `signalbox <command>

  start                                     run the whole platform here (the same as npm start)
  demo                                      walk through the main job against the running platform
  admin create-company --name NAME          create a company and print its first key
  admin create-key --company ID --name NAME --scopes read,write
                                            add a key to a company
  help                                      this page

Settings come from the environment: PORT, HOST, DATA_DIR, DATABASE_URL, NATS_URL, NATS_SERVER_BIN, OBJECT_STORE_URL,
MASTER_KEY, EGRESS_ALLOW, PUBLIC_URL, INVOKE_TIMEOUT_SECONDS, RATE_LIMIT_RPS, LOG_LEVEL. All are optional.`;
