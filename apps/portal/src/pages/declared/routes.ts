import { page, type PageRoute } from '../../page-route.js';

const applications = () => import('./applications.js');
const intentGroups = () => import('./intent-groups.js');
const models = () => import('./models.js');
const providers = () => import('./providers.js');
const mcpServers = () => import('./mcp-servers.js');
const tags = () => import('./tags.js');
const tagRules = () => import('./tag-rules.js');
const tagRuns = () => import('./tag-runs.js');
const datasets = () => import('./datasets.js');
const compositions = () => import('./compositions.js');
const finetuneRuns = () => import('./finetune-runs.js');

export const DECLARED_ROUTES: PageRoute[] = [
  {
    path: '/applications',
    title: 'Applications',
    group: 'Build',
    key: 'i',
    page: page(async () => (await applications()).Applications),
  },
  { path: '/applications/:id', title: 'Application', page: page(async () => (await applications()).ApplicationPage) },
  {
    path: '/applications/:application/intents/:id',
    title: 'Intent',
    page: page(async () => (await applications()).IntentPage),
  },
  {
    path: '/intent-groups',
    title: 'Intent groups',
    group: 'Build',
    page: page(async () => (await intentGroups()).IntentGroups),
  },
  {
    path: '/intent-groups/:id',
    title: 'Intent group',
    page: page(async () => (await intentGroups()).IntentGroupPage),
  },
  { path: '/models', title: 'Models', group: 'Build', key: 'o', page: page(async () => (await models()).Models) },
  { path: '/models/:id', title: 'Model', page: page(async () => (await models()).ModelPage) },
  {
    path: '/mcp-servers',
    title: 'MCP servers',
    group: 'Build',
    page: page(async () => (await mcpServers()).McpServers),
  },
  { path: '/mcp-servers/:id', title: 'MCP server', page: page(async () => (await mcpServers()).McpServerPage) },
  {
    path: '/providers',
    title: 'Providers',
    group: 'Settings',
    page: page(async () => (await providers()).Providers),
  },
  { path: '/providers/:id', title: 'Provider', page: page(async () => (await providers()).ProviderPage) },
  { path: '/tags', title: 'Tags', group: 'Run', page: page(async () => (await tags()).Tags) },
  { path: '/tags/:id', title: 'Tag', page: page(async () => (await tags()).TagPage) },
  { path: '/tag-rules', title: 'Tag rules', group: 'Run', page: page(async () => (await tagRules()).TagRules) },
  { path: '/tag-rules/:id', title: 'Tag rule', page: page(async () => (await tagRules()).TagRulePage) },
  { path: '/tag-runs', title: 'Tag runs', group: 'Run', page: page(async () => (await tagRuns()).TagRuns) },
  { path: '/tag-runs/:id', title: 'Tag run', page: page(async () => (await tagRuns()).TagRunPage) },
  {
    path: '/datasets',
    title: 'Datasets',
    group: 'Train',
    key: 'd',
    page: page(async () => (await datasets()).Datasets),
  },
  { path: '/datasets/:id', title: 'Dataset', page: page(async () => (await datasets()).DatasetPage) },
  {
    path: '/compositions',
    title: 'Compositions',
    group: 'Train',
    page: page(async () => (await compositions()).Compositions),
  },
  { path: '/compositions/:id', title: 'Composition', page: page(async () => (await compositions()).CompositionPage) },
  {
    path: '/finetune-runs',
    title: 'Finetune runs',
    group: 'Train',
    page: page(async () => (await finetuneRuns()).FinetuneRuns),
  },
  {
    path: '/finetune-runs/:id',
    title: 'Finetune run',
    page: page(async () => (await finetuneRuns()).FinetuneRunPage),
  },
];
