import type { ComponentType } from 'preact';
import { useState } from 'preact/hooks';
import { useLocation, useParams } from 'wouter-preact';
import { ScopedButton } from '../parts/scoped-button.js';
import type { Declaration, Ids, Listing } from './declaration.js';
import { DeclaredDetail } from './detail.js';
import { DeclaredList, FIRST, NewItem } from './list.js';

export const listPage =
  <T, M, C>(of: Declaration<T, M, C>) =>
  () => (
    <div class="page">
      <div class="head">
        <h1>{of.title}</h1>
        <NewItem of={of} />
      </div>
      <DeclaredList of={of} first={<NewItem of={of} label={FIRST} />} />
    </div>
  );

export const listPageWith = <T,>(
  of: Listing<T>,
  New: ComponentType<{ close: () => void; made: (id: number) => void }>,
) =>
  function ListPage() {
    const [, go] = useLocation();
    const [isNew, setIsNew] = useState(false);
    const button = (label: string) => (
      <ScopedButton scope="write" kind="primary" act={() => setIsNew(true)}>
        {label}
      </ScopedButton>
    );
    return (
      <div class="page">
        <div class="head">
          <h1>{of.title}</h1>
          {button(`New ${of.noun}`)}
        </div>
        <DeclaredList of={of} first={button(FIRST)} />
        {isNew && <New close={() => setIsNew(false)} made={(id) => go(`${of.path({})}/${id}`)} />}
      </div>
    );
  };

export const detailPage =
  <T, M, C>(of: Declaration<T, M, C>) =>
  () => {
    const params = useParams<Record<string, string>>();
    const ids: Ids = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, Number(value)]));
    return <DeclaredDetail of={of} ids={ids} key={JSON.stringify(ids)} />;
  };
