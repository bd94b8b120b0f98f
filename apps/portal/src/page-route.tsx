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

/**
 * Loaded when it is opened. Browsers keep the failure of a module as long as its document, so that a page that could not be
 * loaded is opened again with a new one.
 */
export function page(load: () => Promise<ComponentType>): ComponentType {
  let Loaded: ComponentType | null = null;
  let hasFailed = false;
  return function Page() {
    const [error, setError] = useState<{ thrown: unknown } | null>(null);
    const [, redraw] = useState(false);
    useLayoutEffect(() => {
      if (Loaded) return;
      if (hasFailed) return location.reload();
      load().then(
        (component) => {
          Loaded = component;
          redraw(true);
        },
        (thrown: unknown) => {
          hasFailed = true;
          setError({ thrown });
        },
      );
    }, []);
    if (error) throw error.thrown;
    return Loaded ? <Loaded /> : <Loading />;
  };
}
