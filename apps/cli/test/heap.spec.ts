import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { DEPLOYED } from '../src/launcher/services.js';
import { findHelm, parsedFile, rendered, titleOf } from './chart.js';
import { type Container, ROOT } from './manifests.js';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const [, entry] = /^ENTRYPOINT (.*)$/m.exec(read('docker/Dockerfile'))!;
const ENTRYPOINT = JSON.parse(entry!) as string[];
const [, heapOfImage] = /"--max-old-space-size=(\d+)"/.exec(entry!)!;

const withHeap = (mib: string): string[] =>
  ENTRYPOINT.map((word) => word.replace(/^(--max-old-space-size)=.*$/, `$1=${mib}`));

describe('the heap of a process', () => {
  it('is that of the image in compose, unless a setting changes it', () => {
    const { services } = parse(read('docker/docker-compose.yml'), { merge: true }) as {
      services: Record<string, { entrypoint?: string[] }>;
    };
    for (const { name, entrance } of DEPLOYED) {
      const setting = entrance ? 'ENTRANCE_HEAP' : 'SERVICE_HEAP';
      expect([name, services[name]!.entrypoint]).toEqual([name, withHeap(`\${${setting}:-${heapOfImage}}`)]);
    }
  });

  it('is that of the image by default in the chart', () => {
    expect(parsedFile('values.yaml').defaults).toMatchObject({ heapMiB: Number(heapOfImage) });
  });

  // The chart cannot be rendered without it, which chart.spec.ts says loudly.
  const helm = findHelm('4') ?? findHelm('3');
  const deployed = helm === undefined ? it.skip : it;

  deployed('is what the values of a service in the chart say', () => {
    const containerOf = (service: string, ...args: string[]) => {
      const titles = [`Deployment ${service}`, `StatefulSet ${service}`];
      const found = rendered(helm!, 'tiny', ...args).find((each) => titles.includes(titleOf(each)));
      return found!.spec!.template!.spec.containers[0] as Container & { command?: string[] };
    };
    const raised = ['--set', 'services.traffic.heapMiB=1024,services.traffic.resources.limits.memory=1400Mi'];
    expect(containerOf('traffic', ...raised)).toMatchObject({
      command: withHeap('1024'),
      args: ['service', 'traffic'],
    });
    // What is compiled in the image is for its own flags.
    expect(containerOf('agents', ...raised)).not.toHaveProperty('command');
    expect(containerOf('completions', '--set', 'defaults.heapMiB=512').command).toEqual(withHeap('512'));
  });

  deployed('fits the limit of its container in the chart', () => {
    const render =
      (...sets: string[]) =>
      () =>
        rendered(helm!, 'tiny', ...sets.flatMap((set) => ['--set', set]));
    const limit = (memory: string, service = 'traffic') => `services.${service}.resources.limits.memory=${memory}`;
    expect(render('services.traffic.heapMiB=700')).toThrow(
      'services.traffic.resources.limits.memory: 768Mi is less than the 828 MiB of heapMiB and 128 MiB',
    );
    expect(render('services.traffic.heapMiB=1024', limit('1G'))).toThrow('1G is less than the 1152 MiB');
    expect(render(limit('767Mi', 'completions'))).toThrow('less than the 768 MiB of heapMiB, BODY_MEMORY_MIB and 128');
    for (const fits of ['1.2Gi', '1152Mi', '1300M', '1300000000'])
      expect(render('services.traffic.heapMiB=1024', limit(fits))).not.toThrow();
  });
});
