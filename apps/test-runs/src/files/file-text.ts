export function jsonlLine<Item extends object>(
  item: Item,
  columns: readonly (keyof Item & string)[],
  json: ReadonlySet<string>,
): string {
  const fields = columns.flatMap((name) => {
    const text = item[name] as string | null;
    return text === null ? [] : [`${JSON.stringify(name)}:${json.has(name) ? text : JSON.stringify(text)}`];
  });
  return `{${fields.join(',')}}\n`;
}

export interface FileShape<Item> {
  head?: string;
  text: (item: Item) => string;
  foot?: string;
}

export async function* fileText<Item>(
  pages: AsyncIterable<Item[]>,
  { head = '', text, foot = '' }: FileShape<Item>,
  signal: AbortSignal | undefined,
): AsyncGenerator<string> {
  if (head) yield head;
  for await (const page of pages) {
    if (signal?.aborted) return;
    for (const item of page) yield text(item);
  }
  if (foot) yield foot;
}
