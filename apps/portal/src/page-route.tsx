import type { ComponentType } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import { Loading } from './parts/empty.js';

/** In the order of the rail. */
export const GROUPS = ['Build', 'Run', 'Watch', 'Test', 'Release', 'Train', 'Settings'] as const;

/** `path` is below the company; `key` goes there after `g`. */
export interface PageRoute {
  path: string;
  title: string;
  group?: (typeof GROUPS)[number];
  key?: string;
  page: ComponentType;
}

/** Loaded when it is opened. Not `lazy`, which keeps a failure for good: this tries again when it is opened again. */
export function page(load: () => Promise<ComponentType>): ComponentType {
  let Loaded: ComponentType | null = null;
  return function Page() {
    const [error, setError] = useState<{ thrown: unknown } | null>(null);
    const [, redraw] = useState(false);
    useLayoutEffect(() => {
      if (Loaded) return;
      load().then(
        (component) => {
          Loaded = component;
          redraw(true);
        },
        (thrown: unknown) => setError({ thrown }),
      );
    }, []);
    if (error) throw error.thrown;
    return Loaded ? <Loaded /> : <Loading />;
  };
}
