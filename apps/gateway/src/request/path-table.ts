export interface ServedPath {
  path: string;
  methods: string[];
  open: boolean;
}

interface Entry extends ServedPath {
  matches: RegExp;
  /** Fewer parameters make a path more specific. */
  parameters: number;
}

const escaped = (text: string): string => text.replace(/[.*+?^$()|[\]\\]/g, '\\$&');
const patternOf = (path: string): RegExp => new RegExp(`^${escaped(path).replace(/\{\w+\}/g, '[^/]+')}/?$`);

export class PathTable {
  private readonly entries: Entry[];

  constructor(served: readonly ServedPath[]) {
    this.entries = served
      .map((entry) => ({ ...entry, matches: patternOf(entry.path), parameters: entry.path.split('{').length - 1 }))
      .sort((a, b) => a.parameters - b.parameters);
  }

  /** The declared path that matches a concrete one; literal segments win over parameters. */
  find(path: string): ServedPath | undefined {
    return this.entries.find(({ matches }) => matches.test(path));
  }

  /**
   * The methods that a literal path must refuse because a path with parameters would serve them: `GET /agents/import`
   * must not read an agent called `import`.
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
