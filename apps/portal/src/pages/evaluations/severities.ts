/** The severities of sentinels, by their number. */
export const SEVERITIES: Record<string, string> = { 1: 'info', 2: 'warning', 3: 'error', 4: 'fatal' };
