/** The subject that a process of a service subscribes to while it is connected; without an id, those of all its processes. */
export const presenceSubject = (service: string, processId = '*'): string => `presence.${service}.${processId}`;
