import { eventResourcesOf } from '@signalbox/bus';
import { SERVICES } from '@signalbox/contracts';

/** Whether a service may write audit entries of a resource type: its own types, and those that no service declares. */
export function mayAudit(service: string, resourceType: string): boolean {
  const owners = SERVICES.filter((each) => eventResourcesOf(each).includes(resourceType));
  const sender = SERVICES.find((each) => each.name === service);
  return (
    owners.length === 0 ||
    sender?.audits?.includes(resourceType) === true ||
    owners.some(({ name }) => name === service)
  );
}
