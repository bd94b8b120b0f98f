import { Injectable } from '@nestjs/common';
import { SchemaChecker } from '@signalbox/conditions';
import {
  ApiError,
  type Caller,
  type CompiledScript,
  type Detail,
  refused,
  type ScriptProblem,
  type ScriptLanguage,
} from '@signalbox/contracts';
import { ScriptRunner } from '@signalbox/scripts';

export interface ScriptSource {
  language: ScriptLanguage;
  script: string;
  transform_session?: string | null | undefined;
}

type CompileCaller = Pick<Caller, 'companyId' | 'deadline'>;

export interface WorkflowSchemas {
  input_schema?: Record<string, unknown> | null | undefined;
  output_schema?: Record<string, unknown> | null | undefined;
}

@Injectable()
export class ScriptChecks {
  constructor(
    private readonly runner: ScriptRunner,
    private readonly schemas: SchemaChecker,
  ) {}

  compile(caller: CompileCaller, { language, script, transform_session }: ScriptSource): Promise<CompiledScript> {
    if (script.trim() === '')
      return Promise.resolve({ problems: [{ message: 'the script is empty' }], has_transform_session: false });
    return this.runner.compile(caller, language, script, { transform_session: transform_session || undefined });
  }

  /** Throws 422 that names each problem with line and column. */
  async require(caller: CompileCaller, source: ScriptSource): Promise<{ script_has_transform: boolean }> {
    const { problems, has_transform_session } = await this.compile(caller, source);
    if (problems.length > 0) {
      const details = problems.slice(0, 50).map((problem) => ({ field: 'script', message: sentenceOf(problem) }));
      throw refused(`the script cannot run: ${details[0]?.message}`, details);
    }
    return { script_has_transform: has_transform_session };
  }

  /** Throws 422 for an invalid schema. */
  async requireSchemas(companyId: number, { input_schema, output_schema }: WorkflowSchemas): Promise<void> {
    if (input_schema) await this.schemas.requireGood(companyId, input_schema, 'input_schema');
    if (output_schema) await this.schemas.requireGood(companyId, output_schema, 'output_schema');
  }

  async schemaErrors(companyId: number, schemas: WorkflowSchemas): Promise<ScriptProblem[]> {
    const errors: ScriptProblem[] = [];
    for (const name of ['input_schema', 'output_schema'] as const) {
      const schema = schemas[name];
      if (schema) errors.push(...(await problemsOf(this.schemas.requireGood(companyId, schema, name))));
    }
    return errors;
  }
}

const sentenceOf = ({ line, column, message }: ScriptProblem): string =>
  line === undefined ? message : `line ${line}${column === undefined ? '' : `, column ${column}`}: ${message}`;

async function problemsOf(check: Promise<void>): Promise<ScriptProblem[]> {
  try {
    await check;
    return [];
  } catch (error) {
    if (!(error instanceof ApiError) || error.kind !== 'refused') throw error;
    return (error.extras.details ?? []).map(({ field, message }: Detail) => ({ message: `${field}: ${message}` }));
  }
}
