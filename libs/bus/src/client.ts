// What a command needs to call a service: the client without the server, and hence without Nest.
export { BusClient } from './calls/bus-client.js';
export { BusConnection } from './connection.js';
