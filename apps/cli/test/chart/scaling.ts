import { VALUES } from '../chart.js';
import { byTitle, describeChart, failure, of } from './fixture.js';

/** What KEDA scales a Deployment by. */
interface ScaledBy {
  triggers: { metadata: Record<string, string> }[];
}

describeChart(() => {
  it('scales by what waits and runs, where values ask for it, in place of by CPU alone', () => {
    const scaled = byTitle(of('scaled'));
    const scalers = of('scaled').filter(({ kind }) => ['ScaledObject', 'HorizontalPodAutoscaler'].includes(kind));
    expect(new Set(scalers.map(({ spec }) => spec!.scaleTargetRef!.name)).size).toBe(scalers.length);
    const backlogOf = (name: string) => {
      const { triggers, ...spec } = scaled.get(`ScaledObject ${name}`)!.spec as unknown as ScaledBy;
      expect(spec).toMatchObject({
        scaleTargetRef: { kind: 'Deployment', name },
        minReplicaCount: 3,
        maxReplicaCount: 20,
      });
      expect(triggers[1]).toEqual({ type: 'cpu', metricType: 'AverageValue', metadata: { value: '700m' } });
      return triggers[0]!;
    };
    const jobs = backlogOf('agents-worker');
    expect(jobs).toMatchObject({
      type: 'prometheus',
      metricType: 'AverageValue',
      authenticationRef: { name: 'prometheus' },
    });
    expect(jobs.metadata).toMatchObject({
      serverAddress: 'http://prometheus-operated.monitoring:9090',
      threshold: '20',
      ignoreNullValues: 'false',
    });
    // Every process of a schema counts the same jobs, and each runner its own scripts.
    const processes = 'signalbox_build_info{service="agents-worker",namespace="signalbox"}';
    const counted = (state: string) =>
      `(sum(max by (kind) (signalbox_jobs_${state} * on (instance) group_left () ${processes})) or 0 * max(${processes}))`;
    expect(jobs.metadata.query).toBe(`${counted('waiting')} + ${counted('running')}`);
    const scripts = backlogOf('runner');
    expect(scripts.metadata.threshold).toBe('12');
    expect(scripts.metadata.query).toMatch(/^sum\(signalbox_script_children\{state=~"busy\|waiting"\} \* .*"runner"/);
  });

  it('scales nothing by a backlog unless asked, nor what has none, and knows where Prometheus is', () => {
    const others = VALUES.filter((name) => name !== 'scaled').flatMap(of);
    expect(others.filter(({ kind }) => kind === 'ScaledObject')).toEqual([]);
    const backlog = (name: string, ...more: string[]) =>
      failure('--set', [`services.${name}.autoscaling.backlog.enabled=true`, ...more].join(','));
    const prometheus = 'keda.prometheus=http://prometheus:9090';
    expect(backlog('gateway', prometheus)).toContain('nothing waits for gateway');
    expect(backlog('workflows', prometheus)).toContain('set autoscaling.enabled too');
    expect(backlog('workflows', 'services.workflows.autoscaling.enabled=true')).toContain('keda.prometheus is missing');
  });
});
