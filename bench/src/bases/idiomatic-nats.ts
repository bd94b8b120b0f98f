/** The options of Nest's NATS transport for the server of the bench. */
export function natsOptions(queue?: string): Record<string, unknown> {
  const url = new URL(process.env.NATS_URL ?? '');
  return { servers: [url.host], user: url.username, pass: url.password, ...(queue ? { queue } : {}) };
}
