/** The subject that a process of a service subscribes to for as long as it is connected; of all its processes without an id. */
export const presenceSubject = (service: string, processId = '*'): string => `presence.${service}.${processId}`;
