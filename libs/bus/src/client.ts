// For commands: without the server, and hence without Nest.
export { BusClient } from './calls/bus-client.js';
export { BusConnection } from './connection.js';
