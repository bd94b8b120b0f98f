import { lazy } from 'preact/compat';
import type { ComponentType } from 'preact';

/** A page: its address below the company, its title, its group in the rail, and the key that goes there after `g`. */
export interface PageRoute {
  path: string;
  title: string;
  group?: 'Build' | 'Run' | 'Watch' | 'Test' | 'Release' | 'Settings';
  key?: string;
  page: ComponentType;
}

/** A page that is loaded when it is opened. */
const page = (load: () => Promise<ComponentType>): ComponentType => lazy(async () => ({ default: await load() }));

export const ROUTES: PageRoute[] = [
  { path: '/', title: 'Home', key: 'h', page: page(async () => (await import('./pages/home.js')).Home) },
  {
    path: '/agents',
    title: 'Agents',
    group: 'Build',
    key: 'a',
    page: page(async () => (await import('./pages/agents.js')).Agents),
  },
  { path: '/agents/:id', title: 'Agent', page: page(async () => (await import('./pages/agent/agent.js')).AgentPage) },
  {
    path: '/runs',
    title: 'Runs',
    group: 'Run',
    key: 'r',
    page: page(async () => (await import('./pages/runs/runs.js')).Runs),
  },
  { path: '/runs/task/:id', title: 'Run', page: page(async () => (await import('./pages/runs/run.js')).Run) },
  {
    path: '/runs/request/:id',
    title: 'Request',
    page: page(async () => (await import('./pages/runs/request.js')).RequestPage),
  },
  {
    path: '/sessions',
    title: 'Sessions',
    group: 'Run',
    key: 'e',
    page: page(async () => (await import('./pages/sessions/sessions.js')).Sessions),
  },
  {
    path: '/sessions/:id',
    title: 'Session',
    page: page(async () => (await import('./pages/sessions/session.js')).Session),
  },
  {
    path: '/monitors',
    title: 'Monitors',
    group: 'Watch',
    key: 'm',
    page: page(async () => (await import('./pages/monitors/monitors.js')).Monitors),
  },
  {
    path: '/monitors/:id',
    title: 'Monitor',
    page: page(async () => (await import('./pages/monitors/monitor.js')).MonitorPage),
  },
  {
    path: '/alerts',
    title: 'Alerts',
    group: 'Watch',
    page: page(async () => (await import('./pages/monitors/alerts.js')).Alerts),
  },
  {
    path: '/test-sets',
    title: 'Test sets',
    group: 'Test',
    key: 't',
    page: page(async () => (await import('./pages/tests/sets.js')).TestSets),
  },
  {
    path: '/test-sets/:id',
    title: 'Test set',
    page: page(async () => (await import('./pages/tests/set.js')).TestSetPage),
  },
  {
    path: '/test-runs',
    title: 'Test runs',
    group: 'Test',
    page: page(async () => (await import('./pages/tests/runs.js')).TestRuns),
  },
  {
    path: '/test-runs/:id',
    title: 'Test run',
    page: page(async () => (await import('./pages/tests/run.js')).TestRunPage),
  },
  {
    path: '/compare',
    title: 'Compare',
    page: page(async () => (await import('./pages/tests/compare.js')).Compare),
  },
  {
    path: '/releases',
    title: 'Releases',
    group: 'Release',
    key: 'l',
    page: page(async () => (await import('./pages/releases/board.js')).ReleaseBoard),
  },
  {
    path: '/settings/keys',
    title: 'API keys',
    group: 'Settings',
    key: 'k',
    page: page(async () => (await import('./pages/settings/keys.js')).Keys),
  },
  {
    path: '/settings/assistants',
    title: 'Assistants',
    group: 'Settings',
    page: page(async () => (await import('./pages/settings/assistants.js')).Assistants),
  },
  {
    path: '/settings/company',
    title: 'Company',
    group: 'Settings',
    page: page(async () => (await import('./pages/settings/company.js')).Company),
  },
  {
    path: '/settings/webhooks',
    title: 'Webhooks',
    group: 'Settings',
    key: 'w',
    page: page(async () => (await import('./pages/settings/webhooks.js')).Webhooks),
  },
  {
    path: '/settings/webhooks/:id',
    title: 'Webhook',
    page: page(async () => (await import('./pages/settings/webhook.js')).WebhookPage),
  },
  {
    path: '/settings/audit',
    title: 'Audit log',
    group: 'Settings',
    page: page(async () => (await import('./pages/settings/audit-log.js')).AuditLog),
  },
  {
    path: '/settings/sessions',
    title: 'Portal sessions',
    group: 'Settings',
    key: 's',
    page: page(async () => (await import('./pages/settings/sessions.js')).Sessions),
  },
  {
    path: '/settings/health',
    title: 'Health',
    group: 'Settings',
    page: page(async () => (await import('./pages/settings/health.js')).Health),
  },
  {
    path: '/workflows',
    title: 'Workflows',
    group: 'Build',
    key: 'f',
    page: page(async () => (await import('./pages/workflows/workflows.js')).Workflows),
  },
  {
    path: '/workflows/:id',
    title: 'Workflow',
    page: page(async () => (await import('./pages/workflow/workflow.js')).WorkflowPage),
  },
  {
    path: '/runs/workflow/:id',
    title: 'Run of a workflow',
    page: page(async () => (await import('./pages/workflow-run.js')).WorkflowRunPage),
  },
];
