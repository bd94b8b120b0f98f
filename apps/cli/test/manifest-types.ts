import { join } from 'node:path';
import ts from 'typescript';
import { type Manifest, ROOT } from './manifests.js';

/** The compiler's errors about manifests as values of Kubernetes' own types, unknown keys included. */
export function typeComplaints(manifests: Manifest[]): string[] {
  const file = join(ROOT, 'apps/cli/manifests.check.ts');
  const text = manifests.map(declarationOf).join('');
  const options: ts.CompilerOptions = {
    noEmit: true,
    strict: true,
    skipLibCheck: true,
    types: [],
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    target: ts.ScriptTarget.ES2022,
  };
  const host = ts.createCompilerHost(options);
  const { fileExists, getSourceFile } = host;
  host.fileExists = (name) => name === file || fileExists(name);
  host.getSourceFile = (name, target, ...rest) =>
    name === file ? ts.createSourceFile(name, text, target) : getSourceFile(name, target, ...rest);
  const program = ts.createProgram([file], options, host);
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n').split('\n').at(-1)!.trim());
}

function declarationOf(manifest: Manifest, at: number): string {
  const { apiVersion, kind } = manifest;
  const type = `import('kubernetes-models/${apiVersion}/${kind}').I${kind}`;
  return `export const m${at}: ${type} = ${JSON.stringify(manifest)};\n`;
}
