import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';

export const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

/** An environment variable as a container declares it. */
export interface Variable {
  name: string;
  value?: string;
  valueFrom?: { secretKeyRef?: { name: string; key: string } };
}

export interface Container {
  name: string;
  image: string;
  args: string[];
  env?: Variable[];
  ports?: { name: string; containerPort: number }[];
  volumeMounts?: { name: string; mountPath: string }[];
  startupProbe?: Probe;
  livenessProbe?: Probe;
  readinessProbe?: Probe;
  securityContext?: Record<string, unknown>;
  resources?: { requests?: object; limits?: object };
  lifecycle?: { preStop?: object };
}

interface Probe {
  httpGet: { path: string; port: string };
  timeoutSeconds?: number;
  failureThreshold?: number;
}

export interface PodSpec {
  containers: Container[];
  volumes?: {
    name: string;
    persistentVolumeClaim?: { claimName: string };
    emptyDir?: { sizeLimit?: string; medium?: string };
  }[];
  terminationGracePeriodSeconds: number;
  automountServiceAccountToken: boolean;
  securityContext: Record<string, unknown>;
}

interface Selector {
  matchLabels?: Record<string, string>;
  matchExpressions?: { key: string; operator: string; values: string[] }[];
}

/** The parts of a manifest that the checks look at. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string };
  data?: Record<string, string>;
  spec?: {
    template?: { metadata: { labels: Record<string, string> }; spec: PodSpec };
    selector?: Selector;
    podSelector?: Selector;
    policyTypes?: string[];
    ingress?: { from?: { podSelector?: Selector }[]; ports: { port: number }[] }[];
    egress?: { to: { podSelector?: Selector; ipBlock?: { cidr: string; except: string[] } }[]; ports: object[] }[];
    jobTemplate?: { spec: { template: { metadata: { labels: Record<string, string> }; spec: PodSpec } } };
    progressDeadlineSeconds?: number;
    suspend?: boolean;
    schedule?: string;
    scaleTargetRef?: { name: string };
    minReplicas?: number;
    accessModes?: string[];
    volumeClaimTemplates?: { metadata: { name: string } }[];
  };
}

/** Every document of a YAML text; a mistake in it, such as a repeated key, is thrown. */
export function documentsOf(text: string): Manifest[] {
  return parseAllDocuments(text, { uniqueKeys: true }).map((document) => {
    if (document.errors[0]) throw document.errors[0];
    return document.toJS() as Manifest;
  });
}

/** The manifests of a directory, without kustomize's own file. */
export function manifestsIn(directory: string): Manifest[] {
  const files = readdirSync(join(ROOT, directory)).filter((name) => /(?<!kustomization)\.yaml$/.test(name));
  return files.flatMap((name) => documentsOf(readFileSync(join(ROOT, directory, name), 'utf8')));
}
