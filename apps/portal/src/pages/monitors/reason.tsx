import type { MonitorConfig, ResolutionStep } from '@signalbox/sdk';
import { ConditionTree } from '../../parts/condition-tree.js';
import { Table } from '../../parts/table.js';
import { conditionTree } from '../../rules/conditions.js';

const TITLES = { fault: 'A fault when', warning: 'A warning when', default: 'Otherwise' } as const;

export function Reason({ config, trace }: { config: MonitorConfig | null; trace: readonly ResolutionStep[] }) {
  if (trace.length === 0) return <p class="soft">No condition was asked.</p>;
  return (
    <>
      {trace.map(({ group, result, conditions }) => {
        const asked = group === 'default' ? null : config?.result?.[group];
        return (
          <section key={group} class="stack tight" aria-label={TITLES[group]}>
            <h2>
              {TITLES[group]} <span class="soft">{result ? 'this decided' : 'did not hold'}</span>
            </h2>
            {group === 'default' ? (
              <p>{(config?.result?.default_outcome ?? 'PASS').toLowerCase()}</p>
            ) : asked ? (
              <ConditionTree tree={conditionTree(asked, conditions)} />
            ) : (
              <Table label="Conditions" columns={['Condition', 'Was', 'Met']}>
                {conditions.map(({ id, actual, result: isMet }) => (
                  <tr key={id}>
                    <td>
                      <code>{id}</code>
                    </td>
                    <td>{actual === null ? '–' : JSON.stringify(actual)}</td>
                    <td>{isMet ? 'yes' : 'no'}</td>
                  </tr>
                ))}
              </Table>
            )}
          </section>
        );
      })}
    </>
  );
}
