import { useEffect, useState } from 'preact/hooks';

const CHOICES = { '5 s': 5000, '30 s': 30_000, off: false } as const;
type Choice = keyof typeof CHOICES;

const NAMES = Object.keys(CHOICES) as Choice[];
const STORED = 'signalbox.refresh';
const listeners = new Set<() => void>();

const isChoice = (name: string | null): name is Choice => name !== null && name in CHOICES;
function stored(): Choice {
  const name = localStorage.getItem(STORED);
  return isChoice(name) ? name : '5 s';
}

/** The choice, its milliseconds (false: never), and a function that selects the next one. */
export function useRefresh(): { name: Choice; ms: number | false; next: () => void } {
  const [name, setName] = useState(stored);
  useEffect(() => {
    const read = (): void => setName(stored());
    listeners.add(read);
    return () => void listeners.delete(read);
  }, []);
  const next = (): void => {
    localStorage.setItem(STORED, NAMES[(NAMES.indexOf(name) + 1) % NAMES.length] ?? '5 s');
    for (const read of listeners) read();
  };
  return { name, ms: CHOICES[name], next };
}
