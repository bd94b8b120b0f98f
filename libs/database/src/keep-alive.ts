/**
 * For connections whose statements have no time-out: a server that is gone without a word, such as after a failover,
 * would be waited for without end.
 */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 60_000 };
