import type { SearchResult } from '@signalbox/contracts';
import type { DocumentedEndpoint } from '../../src/search/documented-endpoint.js';
import { helpAnswer, relevant } from '../../src/search/help-answer.js';

const endpoint: DocumentedEndpoint = {
  method: 'POST',
  path: '/agents/{agent_id}/actions',
  summary: 'Add an action',
  scope: 'write',
  body: [
    { name: 'action_name', sample: "it's" },
    { name: 'enabled', sample: true },
  ],
  query: [],
};
const result: SearchResult = {
  kind: 'endpoint',
  title: 'POST /agents/{agent_id}/actions',
  method: 'POST',
  path: '/agents/{agent_id}/actions',
  family: 'Agents',
  summary: 'Add an action',
  score: 0.8,
};

describe('an answer', () => {
  it('keeps the results that are nearly as good as the best one, at most three', () => {
    const scored = [0.8, 0.7, 0.65, 0.62, 0.3].map((score) => ({ ...result, score }));
    expect(relevant(scored).map(({ score }) => score)).toEqual([0.8, 0.7, 0.65]);
    expect(relevant([])).toEqual([]);
  });

  it('names the endpoint, the steps to it and an example', () => {
    const answer = helpAnswer({ results: [result], endpoints: [endpoint] }, 'curl');
    expect(answer.answer).toBe('POST /agents/{agent_id}/actions does this: Add an action.');
    expect(answer.steps).toEqual([
      'Use a key with the scope write in the header X-Service-Api-Key.',
      'Take agent_id from GET /agents.',
      'Call POST /agents/{agent_id}/actions with action_name, enabled.',
    ]);
    expect(answer.examples[0]?.code).toContain(`-d '{"action_name":"it'\\''s","enabled":true}'`);
    expect(answer).toMatchObject({ generated_by: 'template', endpoints: [{ why: 'Add an action' }] });
  });

  it('has examples in TypeScript and Python', () => {
    const codeIn = (language: 'typescript' | 'python') =>
      helpAnswer({ results: [result], endpoints: [endpoint] }, language).examples[0]?.code;
    expect(codeIn('typescript')).toMatch(/fetch\(`.*BASE_URL.*\/agents\/<agent_id>\/actions`/);
    expect(codeIn('python')).toContain(`{"action_name": "it's", "enabled": True}`);
  });

  it('says so when nothing matches', () => {
    const nothing = helpAnswer({ results: [], endpoints: [] }, 'curl');
    expect(nothing.answer).toContain('No endpoint and no command matches');
    expect(nothing).toMatchObject({ steps: [], endpoints: [], examples: [], sources: [] });
  });
});
