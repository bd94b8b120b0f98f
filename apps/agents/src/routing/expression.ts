import { invalidField } from '@signalbox/contracts';

type Node =
  { kind: 'index'; index: number } | { kind: 'not'; of: Node } | { kind: 'and' | 'or'; left: Node; right: Node };

const TOKEN = /\s*(\d+|AND\b|OR\b|NOT\b|\(|\))/iy;
const MAX_DEPTH = 50;

function tokensOf(text: string): string[] | null {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  let at = 0;
  while (text.slice(at).trim() !== '') {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(text);
    if (!match?.[1]) return null;
    tokens.push(match[1].toUpperCase());
    at = TOKEN.lastIndex;
  }
  return tokens;
}

class Parser {
  private at = 0;

  constructor(private readonly tokens: string[]) {}

  parse(): Node | null {
    const node = this.or(0);
    return node && this.at === this.tokens.length ? node : null;
  }

  private or(depth: number): Node | null {
    return this.chain('OR', () => this.and(depth));
  }

  private and(depth: number): Node | null {
    return this.chain('AND', () => this.factor(depth));
  }

  private chain(word: 'AND' | 'OR', operand: () => Node | null): Node | null {
    let left = operand();
    while (left && this.tokens[this.at] === word) {
      this.at++;
      const right = operand();
      left = right && { kind: word === 'AND' ? 'and' : 'or', left, right };
    }
    return left;
  }

  private factor(depth: number): Node | null {
    if (depth > MAX_DEPTH) return null;
    const token = this.tokens[this.at++];
    if (token === undefined) return null;
    if (/^\d+$/.test(token)) return { kind: 'index', index: Number(token) };
    if (token === 'NOT') {
      const of = this.factor(depth + 1);
      return of && { kind: 'not', of };
    }
    if (token !== '(') return null;
    const inner = this.or(depth + 1);
    return this.tokens[this.at++] === ')' ? inner : null;
  }
}

function indexesOf(node: Node): number[] {
  if (node.kind === 'index') return [node.index];
  return node.kind === 'not' ? indexesOf(node.of) : [...indexesOf(node.left), ...indexesOf(node.right)];
}

/** 400 unless the text is an expression such as `0 AND (1 OR NOT 2)` over the indexes of `count` conditions. */
export function parseExpression(text: string, count: number): Node {
  const tokens = tokensOf(text);
  const node = tokens && new Parser(tokens).parse();
  if (!node)
    throw invalidField('condition_expression', 'must combine condition indexes with AND, OR, NOT and parentheses');
  const beyond = indexesOf(node).find((index) => index >= count);
  if (beyond !== undefined)
    throw invalidField('condition_expression', `names condition ${beyond}, but there are ${count}`);
  return node;
}

/** Null while undecided. */
export type Verdict = boolean | null;

const negated = (verdict: Verdict): Verdict => (verdict === null ? null : !verdict);

/** One side that is `decisive` decides; otherwise both sides have to be decided. */
function joined(left: Verdict, right: Verdict, decisive: boolean): Verdict {
  if (left === decisive || right === decisive) return decisive;
  return left === null || right === null ? null : !decisive;
}

function holds(node: Node, verdicts: readonly Verdict[]): Verdict {
  switch (node.kind) {
    case 'index':
      return verdicts[node.index] ?? null;
    case 'not':
      return negated(holds(node.of, verdicts));
    case 'and':
      return joined(holds(node.left, verdicts), holds(node.right, verdicts), false);
    case 'or':
      return joined(holds(node.left, verdicts), holds(node.right, verdicts), true);
  }
}

/** Null while undecided conditions decide it; without an expression all conditions have to be true. */
export function satisfies(expression: string | null, verdicts: readonly Verdict[]): Verdict {
  return expression === null || expression.trim() === ''
    ? verdicts.reduce((left, right) => joined(left, right, false), true)
    : holds(parseExpression(expression, verdicts.length), verdicts);
}
