/** A process subscribes to this while it is connected; without an id: all processes of the service. */
export const presenceSubject = (service: string, processId = '*'): string => `presence.${service}.${processId}`;
