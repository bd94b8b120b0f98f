import { Injectable } from '@nestjs/common';
import { SchemaChecker } from '@signalbox/conditions';
import type { Adaptation } from './adapter.js';

/** Checks adapted inputs against the schema that the version of a workflow declares (api.md 2.14). */
@Injectable()
export class InputSchemas {
  constructor(private readonly schemas: SchemaChecker) {}

  /** An adaptation, with an error when its input does not fit the schema. */
  async checked(
    companyId: number,
    adaptation: Adaptation,
    schema: Record<string, unknown> | null | undefined,
  ): Promise<Adaptation> {
    const input = adaptation.adapted_input?.['input'];
    if (!schema || input === undefined) return adaptation;
    const problem = await this.schemas.problemOf(companyId, schema, input);
    if (problem === null) return adaptation;
    return { warnings: adaptation.warnings, errors: [{ field: 'input', message: problem }] };
  }
}
