import { findHelm, rendered, titleOf } from './chart.js';

// The chart cannot be rendered without it, which chart.spec.ts says loudly.
const helm = findHelm('4') ?? findHelm('3');

(helm === undefined ? describe.skip : describe)('the connections of all pods in the chart', () => {
  const most = (...args: string[]): number => {
    const settings = rendered(helm!, 'tiny', ...args).find((each) => titleOf(each) === 'ConfigMap signalbox');
    return Number(settings!.data!.DATABASE_CONNECTIONS_MAX);
  };

  it('are counted by the pools that services have of their own', () => {
    const former = most();
    const own = ['--set-string', 'services.workflows.env.DATABASE_POOL_SIZE=30'];
    // One pod, and one more while it is replaced.
    expect(most(...own) - former).toBe(2 * (30 - 10));
    expect(most(...own, '--set', 'config.DATABASE_POOL_SIZE=4')).toBe(former - 17 * 6 + 2 * (30 - 4));
  });
});
