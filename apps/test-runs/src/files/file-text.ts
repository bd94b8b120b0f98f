/** One item as a line of JSONL, from texts that are JSON where `json` names them. */
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
