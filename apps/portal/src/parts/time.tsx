import { useEffect, useState } from 'preact/hooks';
import { ago, exact } from '../rules/formats.js';

export function Time({ at }: { at: number | null | undefined }) {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 10_000);
    return () => clearInterval(timer);
  }, []);
  return <time title={exact(at)}>{ago(at, now)}</time>;
}
