/// <reference lib="dom" />
import type { Signalbox } from '@signalbox/sdk';
import { type ModelProvider, startModelProvider } from '@signalbox/testing';
import { IS_FIREFOX, type PortalPage } from '@signalbox/testing/browser';
import { describePages, PortalSite } from './portal/site.js';

/**
 * How long the pages are watched, in seconds: `LIVE_VIEW_SECONDS`, 90 by default. The hour that the limits below are made
 * for is `LIVE_VIEW_SECONDS=3600 npm run check:long -- portal-live`; the test ends ten minutes after its time at the latest.
 */
const SECONDS = Number(process.env.LIVE_VIEW_SECONDS ?? 90);
if (!(SECONDS > 0)) throw new Error('LIVE_VIEW_SECONDS is not a number of seconds');
/** What an hour may leave in the heap of each page, in MiB. */
const MOST_MB = 60;
/** What one round after another may add, in MiB per thousand events: a page that keeps every event needs more. */
const MOST_MB_PER_1000_EVENTS = 0.2;
const WORDS = 600;
const WORD_MS = 10;
const RUN_EVERY_MS = 250;
const WARM_UP_ROUNDS = 3;

(IS_FIREFOX ? describe.skip : describePages)('live views that stay open', () => {
  let site: PortalSite;
  let provider: ModelProvider;
  let api: Signalbox;
  let company: { key: string; companyId: number };
  let talker: number;
  let short: number;

  beforeAll(async () => {
    provider = await startModelProvider({
      script: () => ({ text: 'word '.repeat(WORDS), chunkDelayMs: WORD_MS }),
    });
    site = await PortalSite.start('Watchers', 'test-runs');
    ({ company, api } = site);
    const { id: provider_id } = await api.models.createProvider({
      ...{
        provider_name: 'outside',
        kind: 'openai_compatible' as const,
        base_url: provider.url,
        api_key: 'sk-outside',
      },
    });
    await api.models.create({ model_name: 'talker', provider_id });
    const { id: application_id } = await api.applications.create({ application_name: 'Shop' });
    const create = async (agent_name: string, model: string) =>
      (await api.agents.create({ application_id, agent_name, model, system_prompt: 'You help.' })).id;
    talker = await create('Talker', 'talker');
    short = await create('Short', 'simulated-echo');
  }, 180_000);
  afterAll(async () => {
    await site?.stop();
    await provider?.close();
  }, 60_000);

  /** What the scripts of a page hold after a collection, in MiB. */
  async function heapOf({ page }: PortalPage): Promise<number> {
    const session = await page.context().newCDPSession(page);
    await session.send('HeapProfiler.collectGarbage');
    const { usedSize } = (await session.send('Runtime.getHeapUsage')) as { usedSize: number };
    await session.detach();
    return usedSize / 2 ** 20;
  }

  it(
    `hold no more than ${MOST_MB} MiB after ${SECONDS} s`,
    async () => {
      const [run, list] = [await site.signIn(), await site.signIn()];
      await list.open('/runs');
      await run.open('/runs');
      let isOver = false;
      let started = 0;
      const load = (async () => {
        while (!isOver) {
          await api.agents.invoke({ agent_id: short, message: `question ${started++}`, wait: false });
          await new Promise((resolve) => setTimeout(resolve, RUN_EVERY_MS));
        }
      })();

      /** One run from its first event to its end, in a page that is never loaded anew. */
      async function follow(tab: 'Conversation' | 'Timeline'): Promise<void> {
        const begun = await api.agents.invoke({ agent_id: talker, message: 'Talk to me.', wait: false });
        const { task_id } = begun as unknown as { task_id: string };
        const address = `/c/${company.companyId}/runs/task/${task_id}${tab === 'Timeline' ? '?tab=Timeline' : ''}`;
        await run.page.evaluate((to) => history.pushState(null, '', to), address);
        await run.page.getByText(task_id).first().waitFor();
        await run.page.locator('.lamp', { hasText: 'Completed' }).first().waitFor();
      }

      const samples: { seconds: number; events: number; run: number; list: number }[] = [];
      const began = Date.now();
      try {
        for (let round = 1; round <= WARM_UP_ROUNDS + 2 || Date.now() < began + SECONDS * 1000; round++) {
          await follow(round % 2 === 0 ? 'Timeline' : 'Conversation');
          const seconds = Math.round((Date.now() - began) / 1000);
          samples.push({ seconds, events: round * WORDS, run: await heapOf(run), list: await heapOf(list) });
        }
      } finally {
        isOver = true;
        await load;
      }
      const [first, last] = [samples[WARM_UP_ROUNDS - 1], samples.at(-1)];
      if (!first || !last) throw new Error('no round has ended');
      const thousands = (last.events - first.events) / 1000;
      const words = (at: typeof last): string =>
        `${at.seconds} s: run ${at.run.toFixed(1)} MiB, list ${at.list.toFixed(1)} MiB`;
      process.stdout.write(
        [first, ...samples.filter((_, at) => at % Math.ceil(samples.length / 10) === 0), last].map(words).join('\n') +
          `\n${last.events} events of ${samples.length} runs in view, ${started} others\n`,
      );
      expect(last.run).toBeLessThan(MOST_MB);
      expect(last.list).toBeLessThan(MOST_MB);
      expect((last.run - first.run) / thousands).toBeLessThan(MOST_MB_PER_1000_EVENTS);
      await list.page.getByRole('button', { name: /\bnew$/ }).waitFor();
      expect([run.faults, list.faults]).toEqual([[], []]);
    },
    (SECONDS + 600) * 1000,
  );
});
