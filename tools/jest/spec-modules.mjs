// Loads one spec file: the spec and the files of its test folder are evaluated anew, everything else is imported by
// Node itself and thus loaded once per worker. Under jest's own loader every spec file compiled Nest, TypeORM and all
// other packages again, which took two to three seconds of CPU each.

import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import vm from 'node:vm';

/** Sources of products and packages; what is relative and elsewhere belongs to the spec. */
const SHARED = /\/node_modules\/|\/dist\/src\/(?!.*\.spec\.js$)/;

/** `import()` as if it stood in the module of a URL. */
const importFrom = (url) =>
  new vm.Script('(specifier) => import(specifier)', {
    filename: fileURLToPath(url),
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  }).runInThisContext();

/**
 * All modules of the worker. Node 20 keeps no module alive that the engine still evaluates or that may call `import()`: when
 * it was collected in the meantime, the worker ends with SIGSEGV (github.com/nodejs/node/issues/54735 and 35889).
 */
const KEPT = [];
const keep = (module) => {
  KEPT.push(module);
  return module;
};

async function shared(namespace, identifier) {
  const names = Object.keys(namespace);
  const module = new vm.SyntheticModule(names, () => names.forEach((name) => module.setExport(name, namespace[name])), {
    identifier,
  });
  return keep(module);
}

/** The modules of one spec file; `meta` is added to the `import.meta` of each. */
export class SpecModules {
  #meta;
  /** Promises of modules by URL: a module that two others import is evaluated once. */
  #modules = new Map();

  constructor(meta) {
    this.#meta = meta;
  }

  /** Evaluates a spec file. */
  async run(path) {
    return this.#evaluated(await this.#own(pathToFileURL(path).href));
  }

  #own(url) {
    if (!this.#modules.has(url)) this.#modules.set(url, this.#read(url));
    return this.#modules.get(url);
  }

  async #read(url) {
    const filename = fileURLToPath(url);
    const module = new vm.SourceTextModule(await readFile(filename, 'utf8'), {
      identifier: url,
      initializeImportMeta: (meta) => Object.assign(meta, this.#meta, { url, filename, dirname: dirname(filename) }),
      importModuleDynamically: async (specifier) => this.#evaluated(await this.#imported(specifier, url)),
    });
    return keep(module);
  }

  async #imported(specifier, from) {
    const url = /^\.{0,2}\//.test(specifier) ? new URL(specifier, from).href : null;
    if (url && !SHARED.test(url)) return this.#own(url);
    return shared(await importFrom(from)(specifier), url ?? specifier);
  }

  async #evaluated(module) {
    if (module.status === 'unlinked')
      await module.link((specifier, { identifier }) => this.#imported(specifier, identifier));
    await module.evaluate();
    return module;
  }
}
