import { Injectable } from '@nestjs/common';
import type { FormField } from '@signalbox/contracts';
import { Database } from '@signalbox/database';
import { Agents, FORM_FIELDS, OrderedChildren } from '../drafts/index.js';
import type { FieldBody } from './form-field.js';

@Injectable()
export class FormFields extends OrderedChildren<FormField, FieldBody> {
  constructor(db: Database, agents: Agents) {
    super(db, agents, FORM_FIELDS, 'agent.updated');
  }
}
