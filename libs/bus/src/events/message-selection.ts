import { consumed, type Logger } from '@signalbox/platform';
import type { Delivery } from './consumed-messages.js';

export type MessageFilter = (companyId: number, event: string) => boolean;

/**
 * Reads what the selection needs to know about companies. Called after the messages have arrived, so it sees what was
 * committed before they were published.
 */
export type MessageSelector = (companyIds: readonly number[]) => Promise<MessageFilter>;

/**
 * Acknowledges messages without effect, unread and unrecorded, and returns the others. When the selector fails all are
 * returned, because an effect decides for itself as well.
 */
export async function selectMessages(
  deliveries: readonly Delivery[],
  select: MessageSelector,
  { consumer, logger }: { consumer: string; logger: Logger },
): Promise<readonly Delivery[]> {
  const companyIds = new Set(deliveries.map(({ companyId }) => companyId).filter(isCompany));
  let filter: MessageFilter;
  try {
    filter = await select([...companyIds]);
  } catch (error) {
    logger.warn({ error, consumer }, 'messages could not be selected: all are read');
    return deliveries;
  }
  const selected: Delivery[] = [];
  for (const delivery of deliveries)
    if (!isCompany(delivery.companyId) || filter(delivery.companyId, eventOf(delivery))) selected.push(delivery);
    else delivery.skip();
  consumed.inc({ consumer, outcome: 'skipped' }, deliveries.length - selected.length);
  return selected;
}

const isCompany = (id: number): boolean => Number.isInteger(id) && id > 0;

/** `request.completed` of `events.7.request.completed`. */
const eventOf = ({ message: { subject } }: Delivery): string => subject.split('.').slice(2).join('.');
