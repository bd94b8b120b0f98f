import { useState } from 'preact/hooks';

export interface Selection<T> {
  chosen: ReadonlyMap<string, T>;
  toggle: (row: T) => void;
  add: (rows: readonly T[]) => void;
  clear: () => void;
}

export function useSelection<T>(keyOf: (row: T) => string): Selection<T> {
  const [chosen, setChosen] = useState<ReadonlyMap<string, T>>(new Map());
  return {
    chosen,
    toggle: (row) =>
      setChosen((before) => {
        const after = new Map(before);
        if (!after.delete(keyOf(row))) after.set(keyOf(row), row);
        return after;
      }),
    add: (rows) => setChosen((before) => new Map([...before, ...rows.map((row): [string, T] => [keyOf(row), row])])),
    clear: () => setChosen(new Map()),
  };
}
