import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ROOT } from '../manifests.js';

const FILES = join(ROOT, 'k8s/chart/files');
const METRIC = /\b(signalbox|nodejs|process)_\w+/g;

/** An alert with what it is written from. */
export interface Alert {
  alert: string;
  expr: string;
  annotations: { summary: string; runbook: string };
}

export const alerts = (): Alert[] =>
  ['alerts.yaml', 'backup-alerts.yaml'].flatMap((file) => {
    const { groups } = parse(readFileSync(join(FILES, file), 'utf8')) as { groups: { rules: Alert[] }[] };
    return groups.flatMap(({ rules }) => rules);
  });

interface Dashboard {
  panels: { title: string; targets: { expr: string }[] }[];
}

/** The expressions of all panels. */
export function panelExpressions(): string[] {
  const folder = join(FILES, 'dashboards');
  return readdirSync(folder).flatMap((file) => {
    const { panels } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Dashboard;
    return panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  });
}

/** The names of metrics in an expression, without what Prometheus adds to those of histograms. */
const metricsIn = (expression: string): string[] => [...expression.matchAll(METRIC)].map(([name]) => name);

const MATCHER = /(\w+)\{([^}]*)\}/g;
const LABEL_PATTERN = /(\w+)([=!]~)"((?:[^"\\]|\\.)*)"/g;

/** A label of a metric that an expression compares with a pattern. */
export interface LabelPattern {
  metric: string;
  label: string;
  pattern: RegExp;
}

/** The patterns of labels in an expression; Prometheus compares the whole value. */
export const labelPatternsIn = (expression: string): LabelPattern[] =>
  [...expression.matchAll(MATCHER)].flatMap(([, metric = '', labels = '']) =>
    [...labels.matchAll(LABEL_PATTERN)].map(([, label = '', , text = '']) => ({
      metric,
      label,
      pattern: new RegExp(`^(?:${text.replaceAll('\\\\', '\\')})$`),
    })),
  );

/** The values of a label of a metric in scrapes. */
export function labelValues(scrapes: readonly string[], metric: string, label: string): Set<string> {
  const samples = scrapes.flatMap((text) => [...text.matchAll(new RegExp(`^${metric}\\{(.*)\\} `, 'gm'))]);
  return new Set(samples.flatMap(([, labels]) => new RegExp(`(?:^|,)${label}="([^"]*)"`).exec(labels!)?.[1] ?? []));
}

/** The services that an expression misses when no process of theirs is scraped. */
export const servicesMissedBy = (expression: string): string[] =>
  [...expression.matchAll(/absent\(signalbox_build_info\{service="([a-z-]+)"\}\)/g)].map(([, name]) => name!);

/** The metrics of expressions that no scrape has. A scrape names a metric also while it has no value. */
export function unknownMetrics(expressions: readonly string[], scrapes: readonly string[]): string[] {
  const types = new Map(
    scrapes.flatMap((text) => [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, a = '', b = '']) => [a, b])),
  );
  const isKnown = (name: string): boolean =>
    types.has(name) || types.get(name.replace(/_(bucket|count|sum)$/, '')) === 'histogram';
  return [...new Set(expressions.flatMap(metricsIn))].filter((name) => !isKnown(name));
}
