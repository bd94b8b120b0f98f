export async function inGroups<Item, Result>(
  items: readonly Item[],
  size: number,
  map: (item: Item) => Promise<Result[]>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let at = 0; at < items.length; at += size)
    results.push(...(await Promise.all(items.slice(at, at + size).map(map))).flat());
  return results;
}
