import { Injectable } from '@nestjs/common';
import type { FormField } from '@signalbox/contracts';
import { Database } from '@signalbox/database';
import { Agents } from '../agents/agents.repository.js';
import { OrderedChildren } from '../ordering/ordered-children.repository.js';
import type { FieldBody } from './form-field.js';
import { FORM_FIELDS } from './form-field.part.js';

/** Form fields of agents. */
@Injectable()
export class FormFields extends OrderedChildren<FormField, FieldBody> {
  constructor(db: Database, agents: Agents) {
    super(db, agents, FORM_FIELDS, 'agent.updated');
  }
}
