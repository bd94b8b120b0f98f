import { CONTRACTS, search } from '@signalbox/contracts';
import { openApi } from '@signalbox/openapi';
import { routeCommands, searchDocuments } from '../../src/search/search-documents.js';
import { SearchIndex } from '../../src/search/search-index.js';
import { startTraffic, type Traffic, withModel } from '../traffic.js';
import { HELD_OUT, type Question, QUESTIONS } from './questions.js';

const documents = searchDocuments(openApi(CONTRACTS), routeCommands(CONTRACTS));
const index = new SearchIndex(documents);

/** The questions whose answer is not among the first results. */
const missed = (questions: readonly Question[], within: number): string[] =>
  questions.flatMap(([question, ...answers]) => {
    const found = index.search(question, 'all', within).map(({ title }) => title);
    return found.some((title) => answers.includes(title)) ? [] : [`${question}: ${found.join(', ')}`];
  });

describe('the labelled questions', () => {
  it('name endpoints and commands that exist', () => {
    const ids = documents.map(({ id }) => id);
    const answers = [...QUESTIONS, ...HELD_OUT].flatMap(([, ...each]) => each);
    expect(answers.filter((answer) => !ids.includes(answer))).toEqual([]);
    expect([QUESTIONS.length, HELD_OUT.length]).toEqual([60, 30]);
  });

  it.each([
    ['the first set', QUESTIONS],
    ['the set that was looked at once', HELD_OUT],
  ])('are answered: %s', (_, questions) => {
    const first = missed(questions, 1);
    const firstFive = missed(questions, 5);
    expect({ first, share: first.length <= questions.length * 0.2 }).toMatchObject({ share: true });
    expect({ firstFive, share: firstFive.length <= questions.length * 0.05 }).toMatchObject({ share: true });
  });
});

describe('through the bus', () => {
  let traffic: Traffic;
  beforeAll(async () => {
    traffic = await startTraffic();
  }, 90_000);
  afterAll(() => traffic.stop());

  const { endpoints: e } = search;

  it('a search needs no data of a company', async () => {
    const { companyId } = await traffic.platform.company();
    const { bus } = traffic.platform;
    const caller = traffic.platform.caller(companyId);
    const byQuery = await bus.call(e.searchDocuments, { q: 'create a tag', surface: 'api', limit: 3 }, caller);
    expect(byQuery.results).toHaveLength(3);
    expect(byQuery.results[0]).toMatchObject({ kind: 'endpoint', method: 'POST', path: '/tags', family: 'Tags' });
    const byBody = await bus.call(
      e.searchDocumentsByBody,
      { query: 'start the platform on my laptop', surface: 'cli', limit: 1 },
      caller,
    );
    expect(byBody.results).toMatchObject([{ kind: 'command', command: 'signalbox start' }]);
    const publish = { query: 'publish a version of an agent', surface: 'cli' as const, limit: 1 };
    const { results } = await bus.call(e.searchDocumentsByBody, publish, caller);
    expect(results).toMatchObject([{ kind: 'endpoint', command: 'signalbox agents publish-version <agent-id>' }]);
  });

  it('help answers without a model, and with one it changes the text only', async () => {
    const { bus } = traffic.platform;
    const question = { question: 'How do I create a tag?', context: { language: 'python' as const } };
    const plain = await traffic.platform.company();
    const template = await bus.call(e.askForHelp, question, traffic.platform.caller(plain.companyId));
    expect(template).toMatchObject({ generated_by: 'template', examples: [{ language: 'python' }] });
    expect(template.endpoints[0]).toMatchObject({ method: 'POST', path: '/tags' });

    const { companyId } = await withModel(traffic, {}, (id) =>
      traffic.platform.sql.query(
        `UPDATE accounts.companies SET settings = settings || '{"help_model": "m"}' WHERE id = $1`,
        [id],
      ),
    );
    traffic.world.answerWith(() => 'Send its name to POST /tags, or to DELETE /everything.');
    const improved = await bus.call(e.askForHelp, question, traffic.platform.caller(companyId));
    expect(improved).toEqual({
      ...template,
      answer: 'Send its name to POST /tags, or to DELETE /everything.',
      generated_by: 'model',
    });
    traffic.world.answerWith(() => ({ error: { status: 400 } }));
    const failed = await bus.call(e.askForHelp, question, traffic.platform.caller(companyId));
    expect(failed).toEqual(template);
  });
});
