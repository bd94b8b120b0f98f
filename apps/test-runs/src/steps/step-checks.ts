import { areEqual, asText, containsText, type TextTests, valueAt } from '@signalbox/conditions';
import type { ArgumentCheck, StepCheck } from '@signalbox/contracts';
import type { ItemSteps, ToolCall } from './item-steps.js';

const MAX_NAMED = 10;

type Tests = Pick<TextTests, 'passes'>;

export interface StepFindings {
  passed: boolean;
  /** A sentence for each check that does not hold, or one for all of them. */
  description: string;
}

export async function checkSteps(
  companyId: number,
  checks: readonly StepCheck[],
  steps: ItemSteps,
  tests: Tests,
): Promise<StepFindings> {
  const problems: string[] = [];
  for (const check of checks) {
    const problem = await problemOf(check);
    if (problem !== null) problems.push(problem);
  }
  if (problems.length > 0) return { passed: false, description: problems.join('; ') };
  return { passed: true, description: checks.length === 1 ? 'the check holds' : `all ${checks.length} checks hold` };

  async function problemOf(check: StepCheck): Promise<string | null> {
    switch (check.kind) {
      case 'called':
        return calledTooSeldom(check, await callsOf(check), steps);
      case 'not_called': {
        const { length } = await callsOf(check);
        return length === 0 ? null : `${named(check)} was called ${times(length)}, expected never`;
      }
      case 'order':
        return outOfOrder(check.tools ?? [], steps);
      case 'no_failed_step':
        return failed(steps);
      case 'status':
        return steps.status === check.status ? null : `it ended as ${steps.status}, expected ${check.status ?? ''}`;
    }
  }

  async function callsOf({ tool, arguments: wanted = [] }: StepCheck): Promise<ToolCall[]> {
    const found: ToolCall[] = [];
    for (const call of steps.calls)
      if (call.tool === tool && (await everyHolds(wanted, call.arguments))) found.push(call);
    return found;
  }

  async function everyHolds(wanted: readonly ArgumentCheck[], given: unknown): Promise<boolean> {
    for (const each of wanted) if (!(await holds(each, given))) return false;
    return true;
  }

  async function holds(check: ArgumentCheck, given: unknown): Promise<boolean> {
    const value = check.path ? valueAt(given, check.path) : given;
    if (value === undefined) return false;
    if (check.contains !== undefined) return containsText(asText(value), check.contains, true);
    if (check.matches !== undefined)
      return tests.passes(companyId, { operator: 'matches', pattern: check.matches, text: asText(value) });
    return areEqual(value, check.equals);
  }
}

const times = (n: number): string => (n === 1 ? 'once' : n === 2 ? 'twice' : `${n} times`);

const named = ({ tool = '', arguments: wanted }: StepCheck): string => (wanted ? `${tool} with these arguments` : tool);

function calledTooSeldom(check: StepCheck, { length }: readonly ToolCall[], steps: ItemSteps): string | null {
  const { min_times: least = 1, max_times: most = Infinity } = check;
  if (length >= least && length <= most) return null;
  const wanted = least === most ? times(least) : length < least ? `at least ${times(least)}` : `at most ${times(most)}`;
  const found = length === 0 ? 'was not called' : `was called ${times(length)}`;
  return `${named(check)} ${found}, expected ${wanted}${length < least ? `; called: ${listOf(steps)}` : ''}`;
}

function outOfOrder(tools: readonly string[], steps: ItemSteps): string | null {
  let at = 0;
  for (const [index, tool] of tools.entries()) {
    while (at < steps.calls.length && steps.calls[at]?.tool !== tool) at += 1;
    if (at === steps.calls.length) {
      const after = index === 0 ? '' : ` after ${tools.slice(0, index).join(', ')}`;
      return `${tool} was not called${after}; called: ${listOf(steps)}`;
    }
    at += 1;
  }
  return null;
}

function failed({ calls, failures }: ItemSteps): string | null {
  const all = [
    ...calls.filter(({ status }) => status === 'ERROR').map(({ tool, error }) => `${tool} failed: ${error ?? ''}`),
    ...failures,
  ];
  const [first] = all;
  if (first === undefined) return null;
  return all.length === 1 ? first : `${first} and ${all.length - 1} more`;
}

function listOf({ calls }: ItemSteps): string {
  if (calls.length === 0) return 'nothing';
  const shown = calls.slice(0, MAX_NAMED).map(({ tool }) => tool);
  return shown.join(', ') + (calls.length > MAX_NAMED ? ` and ${calls.length - MAX_NAMED} more` : '');
}
