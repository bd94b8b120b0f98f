import { Injectable } from '@nestjs/common';
import { SchemaChecker } from '@signalbox/conditions';
import { conflict, type ConsumerKind } from '@signalbox/contracts';
import { adapt, type Adaptation, type CallDefaults, type CanonicalInput } from './adapter.js';

type InputSchema = Record<string, unknown> | null | undefined;

export interface AdaptationTarget {
  consumer_kind: ConsumerKind;
  consumer_config: object;
  input_schema?: InputSchema;
  defaults?: CallDefaults | undefined;
}

export interface SourceItem {
  id: number;
  /** Changes with every write of the row (`xmin`). */
  version: string;
  input: CanonicalInput;
}

/** An item was added or changed after the inputs were checked. */
class UncheckedInput extends Error {}

const MAX_ROUNDS = 5;

/** Results of checks made before the transaction that stores the inputs. */
export class CheckedInputs {
  private readonly problems = new Map<number, { version: string; problem: string | null }>();

  constructor(
    private readonly schemas: SchemaChecker,
    private readonly companyId: number,
    readonly target: AdaptationTarget,
    private readonly deadline: number,
  ) {}

  /** Skips inputs that are known unchanged. */
  async check(items: readonly SourceItem[]): Promise<void> {
    const { input_schema: schema } = this.target;
    if (!schema) return;
    const adapted = items
      .filter(({ id, version }) => this.problems.get(id)?.version !== version)
      .map(({ id, version, input }) => ({ id, version, value: inputOf(this.adapted(input)) }));
    const checked = adapted.filter(({ value }) => value !== undefined);
    const values = checked.map(({ value }) => value);
    const problems = await this.schemas.problemsOf(this.companyId, schema, values, this.deadline);
    checked.forEach(({ id, version }, at) => this.problems.set(id, { version, problem: problems[at] ?? null }));
  }

  adaptationOf({ id, version, input }: SourceItem): Adaptation {
    const adaptation = this.adapted(input);
    if (!this.target.input_schema || inputOf(adaptation) === undefined) return adaptation;
    const found = this.problems.get(id);
    if (found?.version !== version) throw new UncheckedInput(`item ${id} was not checked`);
    return withProblem(adaptation, found.problem);
  }

  private adapted(input: CanonicalInput): Adaptation {
    const { consumer_kind, consumer_config, defaults } = this.target;
    return adapt(consumer_kind, input, consumer_config, defaults);
  }
}

const inputOf = ({ adapted_input }: Adaptation): unknown => adapted_input?.['input'];

const withProblem = (adaptation: Adaptation, problem: string | null): Adaptation =>
  problem === null ? adaptation : { warnings: adaptation.warnings, errors: [{ field: 'input', message: problem }] };

/**
 * Checks adapted inputs against the schema that the version of a workflow declares (docs/api/tests.md). Other threads
 * check a schema, in turn with other companies, so thousands of inputs are checked before the transaction that stores
 * them, which holds locks and a connection.
 */
@Injectable()
export class InputSchemas {
  constructor(private readonly schemas: SchemaChecker) {}

  async checked(companyId: number, adaptation: Adaptation, schema: InputSchema): Promise<Adaptation> {
    const input = inputOf(adaptation);
    if (!schema || input === undefined) return adaptation;
    return withProblem(adaptation, await this.schemas.problemOf(companyId, schema, input));
  }

  /** Both steps are repeated when an item has changed in between; 409 when items keep changing. */
  async storing<T>(
    { companyId, deadline }: { companyId: number; deadline: number },
    target: AdaptationTarget,
    check: (inputs: CheckedInputs) => Promise<void>,
    store: (inputs: CheckedInputs) => Promise<T>,
  ): Promise<T> {
    const inputs = new CheckedInputs(this.schemas, companyId, target, deadline);
    for (let round = 1; round <= MAX_ROUNDS; round++) {
      await check(inputs);
      try {
        return await store(inputs);
      } catch (error) {
        if (!(error instanceof UncheckedInput)) throw error;
      }
    }
    throw conflict('the items of the test set change while they are adapted');
  }
}
