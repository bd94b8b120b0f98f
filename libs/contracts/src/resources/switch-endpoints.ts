import type { Class } from '../fields/field-types.js';

/** The endpoints that enable and disable one resource, with their summaries. */
export function switchEndpoints<const Root extends string, P extends object, R extends object>(
  root: Root,
  path: Class<P>,
  resource: Class<R>,
  summaries: { enable: string; disable: string },
) {
  return {
    enable: {
      put: `${root}/enable`,
      summary: summaries.enable,
      input: path,
      output: resource,
      http: { exactMethod: true },
    },
    disable: {
      put: `${root}/disable`,
      summary: summaries.disable,
      input: path,
      output: resource,
      http: { exactMethod: true },
    },
  } as const;
}
