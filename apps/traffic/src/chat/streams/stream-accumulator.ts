export interface SpanPart {
  id: string;
  created: number;
  choices: {
    index: number;
    delta?: Record<string, unknown>;
    finish_reason?: string | null;
    logprobs?: unknown;
  }[];
  usage?: object | null;
}

interface Call {
  id?: string;
  type?: string;
  function: { name: string; arguments: string };
}
interface Choice {
  message: Record<string, unknown>;
  calls: Call[];
  /** The call that pieces with an index continue. */
  open: Map<number, Call>;
  finish: string | null;
}

interface CallPiece extends Partial<Call> {
  index?: number;
}

export class StreamAccumulator {
  private head: Pick<SpanPart, 'id' | 'created'> | null = null;
  private readonly choices = new Map<number, Choice>();
  private usage: object | null = null;
  hasToken = false;

  add(piece: SpanPart): void {
    // The first piece of some providers has an empty id.
    if (!this.head?.id) this.head = piece;
    if (piece.usage) this.usage = piece.usage;
    for (const { index, delta = {}, finish_reason } of piece.choices) {
      const choice = this.choices.get(index) ?? { message: {}, calls: [], open: new Map(), finish: null };
      this.choices.set(index, choice);
      this.addDelta(choice, delta);
      choice.finish = finish_reason ?? choice.finish;
    }
  }

  completion(model: string) {
    if (!this.head) return null;
    const { id, created } = this.head;
    const choices = [...this.choices].map(([index, { message, calls, finish }]) => ({
      index,
      message: {
        role: 'assistant',
        content: null,
        ...message,
        ...(calls.length > 0 ? { tool_calls: calls } : {}),
      },
      finish_reason: finish,
    }));
    return { id, object: 'chat.completion' as const, created, model, choices, usage: this.usage };
  }

  private addDelta(choice: Choice, delta: Record<string, unknown>): void {
    for (const [name, value] of Object.entries(delta)) {
      if (name === 'tool_calls') this.addCalls(choice, value);
      else if (typeof value !== 'string') choice.message[name] ??= value;
      else if (name === 'role') choice.message.role = value;
      else {
        const before = choice.message[name];
        choice.message[name] = typeof before === 'string' ? before + value : value;
        if (value !== '') this.hasToken = true;
      }
    }
  }

  private addCalls(choice: Choice, pieces: unknown): void {
    if (!Array.isArray(pieces)) return;
    for (const piece of pieces as CallPiece[]) {
      const { id, type, function: called } = piece;
      const call = callOf(choice, piece);
      if (id) call.id = id;
      call.type = type ?? call.type ?? 'function';
      call.function.name += called?.name ?? '';
      call.function.arguments += called?.arguments ?? '';
      this.hasToken = true;
    }
  }
}

/** The call that a piece continues or begins: some providers give parallel calls the same index, or none. */
function callOf({ calls, open }: Choice, { index = 0, id, function: called }: CallPiece): Call {
  const known = open.get(index);
  const isAnother = Boolean(id && known?.id && id !== known.id && called?.name);
  if (known && !isAnother) return known;
  const call: Call = { function: { name: '', arguments: '' } };
  calls.push(call);
  open.set(index, call);
  return call;
}
