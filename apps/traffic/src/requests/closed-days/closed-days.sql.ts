import { workerStatement } from '@signalbox/database';

export const INDEX_CLOSED_DAY = workerStatement({ index: null }, 'SELECT traffic.index_closed_day() AS created');
