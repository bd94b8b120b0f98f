const KNOWN = ['level', 'time', 'service', 'message'];

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

function prettyLine(line: string): string {
  let fields: Record<string, unknown>;
  try {
    fields = JSON.parse(line) as Record<string, unknown>;
  } catch {
    return line;
  }
  const { level, time, service, message } = fields;
  const clock = new Date(Number(time)).toISOString().slice(11, 23);
  const rest = Object.entries(fields).filter(([name]) => !KNOWN.includes(name));
  const more = rest.map(([name, value]) => ` ${name}=${textOf(value)}`).join('');
  return `${clock} ${textOf(level).toUpperCase().padEnd(5)} ${textOf(service)}: ${textOf(message ?? '')}${more}`;
}

/** Time (UTC), level, service, message, then the other fields. */
export const prettyLines = (text: string): string =>
  text
    .split('\n')
    .map((line) => (line === '' ? '' : prettyLine(line)))
    .join('\n');
