import type { TimelineEvent } from './timeline.js';
import { TimelineLoader } from './timeline-loader.js';

const called = (timestamp: number): TimelineEvent[] => [
  { type: 'action_invoked', timestamp, task_id: 't', step: timestamp, action_name: `tool ${timestamp}` },
  { type: 'action_result', timestamp, task_id: 't', step: timestamp, status: 'SUCCESS' },
];
const start: TimelineEvent = { type: 'task_start', timestamp: 0, task_id: 't' };

function loaderOf(events: () => TimelineEvent[]) {
  const asked: number[] = [];
  const loader = new TimelineLoader(
    ({ offset, limit }) => {
      asked.push(offset);
      return Promise.resolve({
        data: events().slice(offset, offset + limit),
        pagination: { offset, total: events().length },
      });
    },
    () => undefined,
  );
  return { loader, asked };
}

const titles = ({ steps }: TimelineLoader): string[] => steps.list.map(({ title }) => title);

describe('the loader of a timeline', () => {
  it('asks only for what is new', async () => {
    let events = [start, ...called(1)];
    const { loader, asked } = loaderOf(() => events);
    await loader.load();
    events = [...events, ...called(2)];
    await loader.load();
    expect(asked).toEqual([0, 3]);
    expect(titles(loader)).toEqual(['Task', 'Action tool 1', 'Action tool 2']);
  });

  it('shows each step once when earlier ones arrive in a timeline that is rewritten', async () => {
    let events = [start, ...called(9)];
    const { loader } = loaderOf(() => events);
    loader.isRewritten = true;
    await loader.load();
    events = [start, ...called(1), ...called(9)];
    await loader.loadIfLonger();
    expect(titles(loader)).toEqual(['Task', 'Action tool 1', 'Action tool 9']);
    expect([loader.steps.size, loader.total]).toEqual([5, 5]);
  });

  it('loads a timeline of several pages anew as a whole', async () => {
    let events = Array.from({ length: 150 }, (_, n) => called(n + 10)).flat();
    const { loader, asked } = loaderOf(() => events);
    loader.isRewritten = true;
    await loader.load();
    events = [...called(1), ...events];
    await loader.loadIfLonger();
    expect(new Set(titles(loader)).size).toBe(151);
    expect(loader.steps.list).toHaveLength(151);
    asked.length = 0;
    await loader.loadIfLonger();
    expect(asked).toEqual([0]);
  });
});
