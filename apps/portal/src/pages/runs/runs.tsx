import { useLocation } from 'wouter-preact';
import { useQueryParams } from '../../parts/param.js';
import { Tabs } from '../../parts/tabs.js';
import { RequestRows } from './requests.js';
import { TaskList } from './tasks.js';
import { WorkflowRunRows } from './workflow-runs.js';

const TABS = ['Agents', 'Workflows', 'Requests'] as const;
type Tab = (typeof TABS)[number];

const FAMILIES: Record<Tab, () => preact.JSX.Element> = {
  Agents: TaskList,
  Workflows: WorkflowRunRows,
  Requests: RequestRows,
};
/** Filters that are kept when the list changes. */
const SHARED = ['text', 'since', 'start_date', 'end_date', 'session_id'];

const isTab = (name: string): name is Tab => name in FAMILIES;

export function Runs() {
  const [params] = useQueryParams();
  const [path, go] = useLocation();
  const named = params.get('kind') ?? '';
  const tab = isTab(named) ? named : 'Agents';
  const choose = (next: Tab): void => {
    const kept = new URLSearchParams(next === 'Agents' ? {} : { kind: next });
    for (const name of SHARED) if (params.get(name)) kept.set(name, params.get(name) ?? '');
    go(`${path}?${kept.toString()}`, { replace: true });
  };
  const List = FAMILIES[tab];
  return (
    <div class="page">
      <div class="head">
        <h1>Runs</h1>
      </div>
      <Tabs label="Kinds of runs" names={TABS} chosen={tab} choose={choose}>
        <List key={tab} />
      </Tabs>
    </div>
  );
}
