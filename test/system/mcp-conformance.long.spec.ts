import { workflows, workflowVersions } from '@signalbox/contracts';
import { Platform, type TestCompany } from '@signalbox/testing';
import { type Check, checksOf, installSuite } from './mcp/conformance-suite.js';
import { nameTools, type ToolsProxy } from './mcp/named-tools.js';

const REVISIONS = ['2025-11-25', '2026-07-28'];
const AGENTS = '/mcp/agents';
const ADDRESSES = ['/mcp', '/mcp/build', AGENTS];
/** Scenarios of an extension that is not declared; no revision requires it. */
const EXTENSION = 'tasks-';

/** What the suite expects as tools: releases of workflows that do the same. */
const DIALECT = 'https://json-schema.org/draft/2020-12/schema';
const TOOLS: Record<string, { script: string; input_schema?: object }> = {
  test_simple_text: { script: "async function execute() { return 'This is a simple text response for testing.'; }" },
  test_error_handling: { script: "async function execute() { throw new Error('intended'); }" },
  json_schema_2020_12_tool: {
    script: 'async function execute(ctx) { return ctx.input; }',
    input_schema: {
      $schema: DIALECT,
      type: 'object',
      $defs: {
        address: {
          $anchor: 'addressDef',
          type: 'object',
          properties: { street: { type: 'string' }, city: { type: 'string' } },
        },
      },
      properties: {
        name: { type: 'string' },
        address: { $ref: '#/$defs/address' },
        contactMethod: { type: 'string', enum: ['phone', 'email'] },
        phone: { type: 'string' },
        email: { type: 'string' },
      },
      allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
      if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
      then: { required: ['phone'] },
      else: { required: ['email'] },
      additionalProperties: false,
    },
  },
  header_tool: {
    script: 'async function execute(ctx) { return ctx.input; }',
    input_schema: {
      type: 'object',
      properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
      required: ['region'],
    },
  },
};

/** Scenarios about what the server does not have, and says so: their only failure is that it is not found. */
const ABSENT: [RegExp, string][] = [
  [/^resources-|^sep-2640-|^sep-2164-/, 'no resources'],
  [/^prompts-|^completion-complete$/, 'no prompts'],
  [/^logging-set-level$|^tools-call-with-logging$/, 'no log messages'],
  [/^tools-call-(sampling|elicitation)$|^elicitation-|^input-required-result-/, 'no requests to the client'],
  [/^tools-call-with-progress$/, 'no progress notifications'],
  [/^tools-call-(image|audio|embedded-resource|mixed-content)$/, 'no results but text and data'],
  [/^caching$/, 'no prompts and resources to cache'],
];

let platform: Platform;
let company: TestCompany;
let proxy: ToolsProxy;
beforeAll(async () => {
  await installSuite();
  platform = await Platform.shared(['accounts', 'traffic', 'agents', 'workflows', 'runner', 'test-runs', 'gateway']);
  company = await platform.company();
  const names: Record<string, string> = {};
  for (const [name, tool] of Object.entries(TOOLS)) {
    const slug = name.replaceAll('_', '-');
    await release(slug, tool);
    names[name] = `${slug}-live`;
  }
  proxy = await nameTools({ baseUrl: platform.baseUrl, key: company.key, names });
}, 900_000);
afterAll(async () => {
  await proxy?.close();
  await platform?.stop();
});

async function release(workflow_name: string, tool: object): Promise<void> {
  const caller = () => platform.caller(company.companyId);
  const body = { workflow_ref_name: workflow_name, workflow_name, language: 'javascript', ...tool };
  const { id } = await platform.bus.call(workflows.endpoints.createWorkflow, body as never, caller());
  const of = { workflow_id: id };
  const { publishVersion, createRelease } = workflowVersions.endpoints;
  await platform.bus.call(publishVersion, { ...of, bump_type: 'minor', version_notes: '' } as never, caller());
  const live = { ...of, name: 'live', version: 'latest', is_default: false, mcp_enabled: true };
  await platform.bus.call(createRelease, live as never, caller());
}

/** Whether a failure is of something that the address does not have: the releases are tools at one of them. */
function isAbsent(address: string, { scenario, details, errorMessage = '' }: Check): boolean {
  if (details?.untestable === true || scenario.startsWith(EXTENSION)) return true;
  if (address !== AGENTS && /\btool '?[\w-]+'? not found/i.test(errorMessage)) return true;
  const isOfAbsent = ABSENT.some(([scenarios]) => scenarios.test(scenario));
  return isOfAbsent && /not found|Expected InputRequiredResult|Prerequisite failed/.test(errorMessage);
}

describe.each(REVISIONS)('the official conformance suite, with what revision %s requires', (revision) => {
  it.each(ADDRESSES)(
    'finds no fault at %s',
    async (address) => {
      const checks = await checksOf(revision, `${proxy.url}/api/v1${address}`);
      const failed = checks.filter(({ status }) => status === 'FAILURE');
      const passed = checks.filter(({ status }) => status === 'SUCCESS').length;
      process.stdout.write(
        `${revision} ${address}: ${passed} checks passed, ${failed.length} not applicable or failed\n`,
      );
      expect(failed.filter((check) => !isAbsent(address, check))).toEqual([]);
      expect(passed).toBeGreaterThan(10);
    },
    300_000,
  );
});
