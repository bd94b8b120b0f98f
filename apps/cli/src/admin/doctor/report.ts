import type { Finding } from './finding.js';

export function tableOf(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ area }) => area.length));
  const lines = findings.flatMap(({ area, state, found, advice }) => [
    `${state.padEnd(7)}  ${area.padEnd(width)}  ${found}`,
    ...(advice === '' ? [] : [`${' '.repeat(9 + width)}  → ${advice}`]),
  ]);
  const count = (state: Finding['state']): number => findings.filter((each) => each.state === state).length;
  return `${lines.join('\n')}\n\n${count('problem')} problems, ${count('warning')} warnings, ${count('ok')} ok\n`;
}
