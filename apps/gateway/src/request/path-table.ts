/** A path of the API and the methods it is served with. */
export interface ServedPath {
  /** With `{name}` parameters. */
  path: string;
  methods: string[];
  /** Needs no key. */
  open: boolean;
}

interface Entry extends ServedPath {
  matches: RegExp;
  /** Parameters in the path: the fewer, the more specific. */
  parameters: number;
}

const escaped = (text: string): string => text.replace(/[.*+?^$()|[\]\\]/g, '\\$&');
const patternOf = (path: string): RegExp => new RegExp(`^${escaped(path).replace(/\{\w+\}/g, '[^/]+')}/?$`);

/** The methods of each path, for requests that matched no route. */
export class PathTable {
  private readonly entries: Entry[];

  constructor(served: readonly ServedPath[]) {
    this.entries = served
      .map((entry) => ({ ...entry, matches: patternOf(entry.path), parameters: entry.path.split('{').length - 1 }))
      .sort((a, b) => a.parameters - b.parameters);
  }

  /** The declared path that a concrete path matches, literal segments first; undefined for an unknown one. */
  find(path: string): ServedPath | undefined {
    return this.entries.find(({ matches }) => matches.test(path));
  }

  /**
   * The methods a path must refuse by name because a path with parameters would take them: `GET /agents/import` is
   * not the agent called `import`.
   */
  methodsByPath(): ServedPath[] {
    return this.entries.flatMap((entry) => {
      const others = this.entries.filter(
        (other) => other.parameters > entry.parameters && other.matches.test(entry.path),
      );
      const methods = new Set(others.flatMap((other) => other.methods).filter((name) => !entry.methods.includes(name)));
      return methods.size > 0 ? [{ path: entry.path, methods: [...methods], open: entry.open }] : [];
    });
  }
}
