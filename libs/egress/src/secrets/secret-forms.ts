/** Shorter values would match ordinary text. */
export const SHORTEST_SCRUBBED = 6;

/** In which a secret can appear in responses, logs and stored traces. */
export function formsOf(value: string): string[] {
  if (value.length < SHORTEST_SCRUBBED) return [];
  const bytes = Buffer.from(value, 'utf8');
  const forms = new Set<string>([...urlForms(bytes.toString('utf8')), ...[value, reversed(value)].flatMap(textForms)]);
  for (const form of [...base64Forms(bytes), ...hexForms(bytes)]) forms.add(form);
  return [...forms].filter((form) => form.length >= SHORTEST_SCRUBBED);
}

function reversed(value: string): string {
  return [...value].reverse().join('');
}

function urlForms(value: string): string[] {
  const forms = [encodeURIComponent(value), encodeURI(value), new URLSearchParams([['', value]]).toString().slice(1)];
  return forms.flatMap((form) => [form, form.replace(/%[0-9A-F]{2}/g, (part) => part.toLowerCase())]);
}

/** Plain, JSON, and JSON as a string within JSON. */
function textForms(value: string): string[] {
  // Most of these are equal, and long ones take time.
  const once = new Set(jsonForms(value));
  return [value, ...once, ...[...once].flatMap(jsonForms)];
}

function jsonForms(value: string): string[] {
  const plain = JSON.stringify(value).slice(1, -1);
  const ascii = plain.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return [plain, ascii].flatMap((form) => [form, form.replaceAll('/', '\\/')]);
}

function hexForms(bytes: Buffer): string[] {
  const hex = bytes.toString('hex');
  return [hex, hex.toUpperCase()];
}

/** At each of the three alignments, so that it is also found inside `base64(user:value)`. */
function base64Forms(bytes: Buffer): string[] {
  const standard = [bytes.toString('base64'), ...[0, 1, 2].map((shift) => base64Core(bytes, shift))];
  return standard.flatMap((form) => [form, form.replaceAll('+', '-').replaceAll('/', '_')]);
}

function base64Core(bytes: Buffer, shift: number): string {
  const padded = Buffer.concat([Buffer.alloc(shift), bytes]);
  // Only characters whose bits all come from the value; the others depend on adjacent bytes.
  const first = Math.ceil((shift * 8) / 6);
  const end = Math.floor((padded.length * 8) / 6);
  return padded.toString('base64').slice(first, end);
}
