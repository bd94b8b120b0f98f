// Checks the links of every document (the file exists, the heading that an anchor names, and a label that is a number is
// that of the file), the decisions and measurements that it names without a link and, in the pages on the architecture
// and for operators, the paths of the repository in code spans.

import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const { filesUnder } = require('./files-under.cjs');

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FOLDERS = ['apps', 'bench', 'clients', 'docker', 'docs', 'examples', 'k8s', 'libs', 'test', 'tools'];
const LINK = /\[[^\]]*\]\(([^()\s]+)\)/g;
const OUTSIDE = /^[a-z]+:/;

const withoutCode = (text) =>
  text.replace(/^```.*?^```$/gms, '').replace(/`[^`\n]*`/g, (code) => 'x'.repeat(code.length));

/** The anchor that a heading has on the usual hosts: lower case, punctuation removed, spaces as hyphens. */
const anchorOf = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\-_ ]/gu, '')
    .trim()
    .replaceAll(' ', '-');
const anchorsIn = (text) => [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading]) => anchorOf(heading));

/** The links of a document that lead nowhere, each as a sentence. */
export function brokenLinks(file, text) {
  return [...withoutCode(text).matchAll(LINK)].flatMap(([, link]) => {
    if (OUTSIDE.test(link)) return [];
    const [path, anchor] = link.split('#');
    const target = path ? join(dirname(file), path) : file;
    if (!existsSync(target)) return [`${file}: ${link} does not exist`];
    if (!anchor || statSync(target).isDirectory()) return [];
    const there = target === file ? text : readFileSync(target, 'utf8');
    return anchorsIn(there).includes(anchor) ? [] : [`${file}: ${link} has no such heading`];
  });
}

const NUMBERED = /\[(?:\w+\s)?(\d{3})\]\((?:[^()\s]*\/)?(\d{3})-[^()\s]*\)/g;
const NAMED = /\b(decision|ADR|measurement)\s(\d{3})\b/gi;
const NUMBERS = {
  decision: numbersIn('docs/decisions'),
  adr: numbersIn('docs/decisions'),
  measurement: numbersIn('docs/measurements'),
};

function numbersIn(folder) {
  return new Set(readdirSync(join(ROOT, folder)).map((file) => file.slice(0, 3)));
}

/** The numbers of decisions and measurements that are those of another page, or of none, each as a sentence. */
export const wrongNumbers = (file, text) => [
  ...[...text.matchAll(NUMBERED)]
    .filter(([, label, number]) => label !== number)
    .map(([, label, number]) => `${file}: ${label} is the label of a link to ${number}`),
  ...[...text.matchAll(NAMED)]
    .filter(([, kind, number]) => !NUMBERS[kind.toLowerCase()].has(number))
    .map(([name]) => `${file}: ${name} does not exist`),
];

const ABOUT_CODE = /\/docs\/(?:architecture|operations)\/|\/k8s\/README\.md$|\/CONTRIBUTING\.md$/;
const PATH = /`((?:apps|libs|test|tools|docs|bench|docker|k8s)\/(?!\w+\/dist\/)[\w./-]+)`/g;

/** The paths in code spans of a page that do not exist, each as a sentence. */
export const missingPaths = (file, text) =>
  [...text.matchAll(PATH)]
    .filter(([, path]) => !existsSync(join(ROOT, path)))
    .map(([, path]) => `${file}: ${path} does not exist`);

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const files = [...readdirSync(ROOT), ...FOLDERS.flatMap((folder) => filesUnder(ROOT, folder, () => true))];
  const broken = files
    .filter((file) => file.endsWith('.md'))
    .map((file) => join(ROOT, file))
    .flatMap((file) => {
      const text = readFileSync(file, 'utf8');
      const isAboutCode = ABOUT_CODE.test(file);
      return [
        ...brokenLinks(file, text),
        ...wrongNumbers(file, text),
        ...(isAboutCode ? missingPaths(file, text) : []),
      ];
    });
  for (const each of broken) console.error(relative(ROOT, each));
  process.exitCode = broken.length > 0 ? 1 : 0;
}
