// Compiled, never run: each expected error below fails the build when the mistake compiles.
import {
  type Batch,
  type Call,
  type CallTo,
  defineContract,
  emission,
  defineEvents,
  type Handlers,
  Id,
  type InputOf,
  JsonText,
  list,
  Name,
  type OutputOf,
  page,
  type Page,
} from '@signalbox/contracts';

class Pen {
  @Id() id!: number;
  @Name() name!: string;
}
class PenPath {
  @Id() pen_id!: number;
}
class PenName {
  @Name() name!: string;
}

const pens = defineContract(
  { name: 'pens', service: 'desk', tag: 'Pens' },
  {
    getPen: {
      get: '/pens/{pen_id}',
      summary: 'Get a pen',
      input: PenPath,
      output: Pen,
      delivery: { batchable: 'pen_id' },
    },
    createPen: { post: '/pens', summary: 'Create a pen', input: PenName, output: Pen },
    listPens: { get: '/pens', summary: 'List the pens', input: PenName, output: page(Pen) },
    allPens: { get: '/pens/all', summary: 'All pens', input: PenName, output: list(Pen) },
  },
);
type C = typeof pens;

const pen: Pen = { id: 1, name: 'a' };
const onePage: Page<Pen> = { data: [pen], pagination: { total: 1, offset: 0, limit: 25 } };

/** Compiling examples: values, JSON text of the right type, a batch for a coalesced read. */
export class Good implements Handlers<C> {
  async getPen({ keys }: Batch) {
    return keys.map(() => new JsonText<Pen>('{}'));
  }
  async createPen({ input }: CallTo<C, 'createPen'>) {
    return { id: 1, name: input.name };
  }
  async listPens(_call: CallTo<C, 'listPens'>) {
    return onePage;
  }
  async allPens(_call: CallTo<C, 'allPens'>) {
    return [pen];
  }
}

// @ts-expect-error a handler is missing
export class Omitted implements Handlers<C> {
  getPen = new Good().getPen;
  createPen = new Good().createPen;
  listPens = new Good().listPens;
}

export class WrongOutput extends Good {
  // @ts-expect-error the output lacks its id
  override async createPen(_call: CallTo<C, 'createPen'>) {
    return { name: 'a' };
  }
}

export class WrongText implements Handlers<C> {
  getPen = new Good().getPen;
  // @ts-expect-error JSON text of another class
  async createPen(_call: CallTo<C, 'createPen'>) {
    return new JsonText<PenPath>('{}');
  }
  listPens = new Good().listPens;
  allPens = new Good().allPens;
}

export class PageForSingle extends Good {
  // @ts-expect-error a page where a single resource is declared
  override async createPen(_call: CallTo<C, 'createPen'>) {
    return onePage;
  }
}

export class ListForPage extends Good {
  // @ts-expect-error a bare list where a page is declared
  override async listPens(_call: CallTo<C, 'listPens'>) {
    return [pen];
  }
}

export class SingleForBatch implements Handlers<C> {
  // @ts-expect-error a batchable endpoint receives keys, not one input
  async getPen(_call: Call<PenPath>) {
    return pen;
  }
  createPen = new Good().createPen;
  listPens = new Good().listPens;
  allPens = new Good().allPens;
}

export class WrongInput extends Good {
  override async createPen({ input }: CallTo<C, 'createPen'>) {
    // @ts-expect-error the input has no such field
    return { id: 1, name: input.nome as string };
  }
}

// @ts-expect-error the name of the input is a string
export const wrongField: InputOf<C['endpoints']['createPen']> = { name: 1 };
// @ts-expect-error a page is not a single resource
export const wrongReply: OutputOf<typeof Pen> = onePage;

const events = defineEvents('desk', { 'pen.lost': { resource: 'pen', data: PenName, description: 'A pen was lost' } });
emission(events, 'pen.lost', 1, { name: 'a' });
// @ts-expect-error no such event
emission(events, 'pen.found', 1, { name: 'a' });
// @ts-expect-error the data of another event
emission(events, 'pen.lost', 1, { colour: 'red' });

export const wrongPath = () =>
  defineContract(
    { name: 'x', service: 'desk', tag: 'X' },
    // @ts-expect-error an endpoint without a summary
    { get: { get: '/x', input: PenName, output: Pen } },
  );

export const unknownProperty = () =>
  defineContract(
    { name: 'x', service: 'desk', tag: 'X' },
    // @ts-expect-error no endpoint declares this
    { get: { get: '/x', summary: 'Get', input: PenName, output: Pen, wholeBody: 'name' } },
  );

const home = { name: 'x', service: 'desk', tag: 'X' };
const plain = { summary: 'Get', input: PenPath, output: Pen };

export const illegalFacets = () => [
  // @ts-expect-error a read by key that is batched is never slow
  defineContract(home, { get: { ...plain, delivery: { batchable: 'pen_id', slow: true } } }),
  // @ts-expect-error only a slow call is resumed
  defineContract(home, { get: { ...plain, delivery: { resumable: true } } }),
  // @ts-expect-error a body is a form or a file
  defineContract(home, { get: { ...plain, http: { form: { files: 'files' }, upload: 'get' } } }),
  // @ts-expect-error a reply has one other form
  defineContract(home, { get: { ...plain, reply: { kind: 'endless', flag: 'stream', endpoint: 'get' } } }),
  // @ts-expect-error workers serve all calls of an endpoint, or those with a large body
  defineContract(home, { get: { ...plain, placement: { onWorkers: true, largeBodyEndpoint: 'get' } } }),
  // @ts-expect-error settings stand in their facet
  defineContract(home, { get: { ...plain, slow: true } }),
];
