import { useParams } from 'wouter-preact';
import type { Declaration, Ids } from './declaration.js';
import { DeclaredDetail } from './detail.js';
import { DeclaredList, NewItem } from './list.js';

/** The page of a list of a declared kind. */
export const listPage =
  <T, M, C>(of: Declaration<T, M, C>) =>
  () => (
    <div class="page">
      <div class="head">
        <h1>{of.title}</h1>
        <NewItem of={of} />
      </div>
      <DeclaredList of={of} />
    </div>
  );

/** The page of one of them; `id` in its address is its own. */
export const detailPage =
  <T, M, C>(of: Declaration<T, M, C>) =>
  () => {
    const params = useParams<Record<string, string>>();
    const ids: Ids = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, Number(value)]));
    return <DeclaredDetail of={of} ids={ids} key={JSON.stringify(ids)} />;
  };
