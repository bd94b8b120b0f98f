// Exits with 0 when the process that listens on HEALTH_PORT is ready: the health check of a container.
import { get } from 'node:http';

get(`http://127.0.0.1:${process.env.HEALTH_PORT ?? 8081}/readyz`, ({ statusCode }) =>
  process.exit(statusCode === 200 ? 0 : 1),
).once('error', () => process.exit(1));
