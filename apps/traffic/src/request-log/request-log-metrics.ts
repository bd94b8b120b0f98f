import { registry } from '@signalbox/platform';
import { Counter, Gauge } from 'prom-client';

export const requestLogBacklog = new Gauge({
  name: 'signalbox_request_log_backlog_bytes',
  help: 'Bytes of recorded model calls that wait on disk for the database',
  registers: [registry],
});

export const requestLogStalled = new Gauge({
  name: 'signalbox_request_log_stalled_seconds',
  help: 'Seconds for which recorded model calls could not be stored in the database, 0 while they can',
  registers: [registry],
});

export const unrecordedCalls = new Counter({
  name: 'signalbox_request_log_unrecorded_total',
  help: 'Model calls whose answers were withheld because the disk took no record of them',
  registers: [registry],
});

export const quarantinedRecords = new Gauge({
  name: 'signalbox_request_log_quarantined',
  help: 'Recorded model calls that the database refuses and that wait in quarantine for an operator',
  registers: [registry],
});

export const quarantineBytes = new Gauge({
  name: 'signalbox_request_log_quarantine_bytes',
  help: 'Bytes of the recorded model calls in quarantine',
  registers: [registry],
});

export const quarantineDropped = new Counter({
  name: 'signalbox_request_log_quarantine_dropped_total',
  help: 'Recorded model calls that the database refuses and that were dropped because the quarantine was full',
  registers: [registry],
});
