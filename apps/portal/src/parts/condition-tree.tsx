import type { ConditionBranch, ConditionLeaf } from '../rules/conditions.js';
import { oneLine } from '../rules/formats.js';

const LONGEST = 200;

export const ConditionTree = ({ tree }: { tree: ConditionBranch }) => (
  <ul class="conditions">
    <Branch branch={tree} />
  </ul>
);

const Branch = ({ branch: { words, children } }: { branch: ConditionBranch }) => (
  <li>
    <span class="soft">{words}</span>
    <ul>
      {children.map((child, n) =>
        child.kind === 'group' ? <Branch key={n} branch={child} /> : <Leaf key={n} leaf={child} />,
      )}
    </ul>
  </li>
);

const Leaf = ({ leaf: { words, name, met } }: { leaf: ConditionLeaf }) => (
  <li>
    {name !== null && <b>{name}: </b>}
    <code>{words}</code>
    {met && (
      <p class={met.result ? 'met' : 'soft'}>
        {met.result ? 'Met' : 'Not met'}: it was <code>{shown(met.actual)}</code>
      </p>
    )}
  </li>
);

const shown = (value: unknown): string =>
  value == null ? 'nothing' : oneLine(typeof value === 'string' ? `"${value}"` : JSON.stringify(value), LONGEST);
