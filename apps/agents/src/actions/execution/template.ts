/** Arguments from a model: untrusted, and never expanded after they are inserted. */
export type Arguments = Readonly<Record<string, unknown>>;

// Doubled braces belong to the platform (`{{secrets.NAME}}`, `{{callback_url}}`), single ones to arguments.
const PLACEHOLDER = /(?<!\{)\{([A-Za-z_][A-Za-z0-9_-]{0,63})\}(?!\})/g;
const WHOLE = /^\{([A-Za-z_][A-Za-z0-9_-]{0,63})\}$/;

export function placeholdersIn(template: unknown): string[] {
  if (typeof template === 'string') return [...new Set([...template.matchAll(PLACEHOLDER)].map(([, name]) => name!))];
  if (typeof template !== 'object' || template === null) return [];
  return [...new Set(Object.values(template).flatMap(placeholdersIn))];
}

export function textOfArgument(value: unknown): string {
  if (value === undefined || value === null) return '';
  return (typeof value === 'string' ? value : JSON.stringify(value)).toWellFormed();
}

/**
 * One pass, so that an argument that looks like a placeholder stays text. A name that is neither known nor given is
 * left unchanged: a template may contain literal braces.
 */
export function fillText(
  template: string,
  given: Arguments,
  known: readonly string[],
  encode: (text: string) => string = (text) => text,
): string {
  return template.replace(PLACEHOLDER, (whole, name: string) =>
    Object.hasOwn(given, name) || known.includes(name)
      ? encode(textOfArgument(Object.hasOwn(given, name) ? given[name] : undefined))
      : whole,
  );
}

/** A string that is a single placeholder becomes the argument with its JSON type. */
export function fillJson(template: unknown, given: Arguments, known: readonly string[]): unknown {
  if (typeof template === 'string') return fillString(template, given, known);
  if (Array.isArray(template)) return template.map((item) => fillJson(item, given, known));
  if (typeof template !== 'object' || template === null) return template;
  const filled = Object.entries(template).map(([key, value]) => [key, fillJson(value, given, known)] as const);
  // A field whose argument is missing is left out.
  return Object.fromEntries(filled.filter(([, value]) => value !== undefined));
}

function fillString(template: string, given: Arguments, known: readonly string[]): unknown {
  const name = WHOLE.exec(template)?.[1];
  if (name === undefined) return fillText(template, given, known);
  if (Object.hasOwn(given, name)) return given[name];
  return known.includes(name) ? undefined : template;
}
