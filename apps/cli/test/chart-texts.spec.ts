import { findHelm, rendered, titleOf } from './chart.js';

// The chart cannot be rendered without it, which chart.spec.ts says loudly.
const helm = findHelm('4') ?? findHelm('3');

(helm === undefined ? describe.skip : describe)('values of the chart that are digits alone', () => {
  const digits = 'defaults.autoscaling.cpu=1,ingress.bodySize=0';
  const objectOf = (title: string): unknown =>
    rendered(helm!, 'scaled', '--set-string', digits).find((each) => titleOf(each) === title);

  it('are texts where Kubernetes and KEDA take nothing else', () => {
    expect(objectOf('ScaledObject runner')).toHaveProperty('spec.triggers.1.metadata', { value: '1' });
    const { annotations } = (objectOf('Ingress gateway') as { metadata: { annotations: object } }).metadata;
    expect(Object.values(annotations).filter((each) => typeof each !== 'string')).toEqual([]);
    expect(annotations).toMatchObject({ 'nginx.ingress.kubernetes.io/proxy-body-size': '0' });
  });
});
