export const SEVERITIES: Record<string, string> = { 1: 'info', 2: 'warning', 3: 'error', 4: 'fatal' };
