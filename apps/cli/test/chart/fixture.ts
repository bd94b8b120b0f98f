import { findHelm, rendered, titleOf, VALUES } from '../chart.js';
import type { Manifest } from '../manifests.js';

/** Each major version of Helm that is here. */
export const helms = ['3', '4'].flatMap((major) => {
  const path = findHelm(major);
  return path === undefined ? [] : [{ major, path }];
});
/** The newest Helm here; empty where there is none. */
export const helm = helms.at(-1)?.path ?? '';

if (helm === '')
  it('is not rendered: there is no Helm here and none could be fetched', () =>
    console.warn('THE CHART WAS NOT RENDERED: there is no Helm here and none could be fetched (tools/helm.mjs)'));

/** Tests of what the newest Helm renders. */
export function describeChart(tests: () => void): void {
  if (helm !== '') describe('the chart', tests);
}

/** What is rendered with each file of values. */
export const all = helm === '' ? [] : VALUES.map((name) => [name, rendered(helm, name)] as const);
/** What is rendered with one of them. */
export const of = (name: string): Manifest[] => all.find(([each]) => each === name)![1];
/** Manifests by `kind name`. */
export const byTitle = (manifests: readonly Manifest[]) => new Map(manifests.map((each) => [titleOf(each), each]));
/** The pods of manifests, by the title of what starts them. */
export const podsOf = (manifests: readonly Manifest[]) =>
  manifests.flatMap((each) => {
    const template = each.spec?.template ?? each.spec?.jobTemplate?.spec.template;
    return template ? [[titleOf(each), template.spec] as const] : [];
  });
/** What Helm says when it refuses these arguments; empty when it does not. */
export const failure = (...args: string[]): string => {
  try {
    rendered(helm, 'tiny', ...args);
    return '';
  } catch (error) {
    return (error as { stderr: string }).stderr;
  }
};
