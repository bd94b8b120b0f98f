import { Serves } from '@signalbox/bus';
import { type CallTo, formFields, type FormFieldBody, type Handlers } from '@signalbox/contracts';
import { checkField, type FieldBody } from './form-field.js';
import { FormFields } from './form-fields.repository.js';

type C = typeof formFields;

const newField = (body: FormFieldBody): FieldBody => ({
  ...body,
  description: body.description ?? null,
  enum_values: body.enum_values ?? null,
  default_value: body.default_value ?? null,
});

@Serves(formFields)
export class FormFieldHandlers implements Handlers<C> {
  constructor(private readonly fields: FormFields) {}

  listFormFields({ input, caller }: CallTo<C, 'listFormFields'>) {
    return this.fields.list(caller.companyId, input.agent_id, input);
  }

  async createFormField({ input: { agent_id, position, ...body }, caller }: CallTo<C, 'createFormField'>) {
    const field = newField(body);
    checkField(field);
    return this.fields.write(caller, agent_id, (tx) => this.fields.add(tx, agent_id, field, position));
  }

  getFormField({ input, caller }: CallTo<C, 'getFormField'>) {
    return this.fields.get(caller.companyId, input.agent_id, input.field_id);
  }

  async updateFormField({ input, caller }: CallTo<C, 'updateFormField'>) {
    const { agent_id, field_id, position, ...change } = input;
    if (Object.keys(change).length === 0 && position === undefined)
      return this.fields.get(caller.companyId, agent_id, field_id);
    return this.fields.write(caller, agent_id, async (tx) => {
      checkField({ ...(await this.fields.find(tx, agent_id, field_id)), ...change } as FieldBody);
      if (position !== undefined) await this.fields.place(tx, agent_id, field_id, position);
      return this.fields.change(tx, agent_id, field_id, change);
    });
  }

  deleteFormField({ input: { agent_id, field_id }, caller }: CallTo<C, 'deleteFormField'>) {
    return this.fields.write(caller, agent_id, async (tx) => {
      await this.fields.drop(tx, agent_id, field_id);
      return { id: field_id, deleted: true };
    });
  }

  reorderFormField({ input, caller }: CallTo<C, 'reorderFormField'>) {
    const { agent_id, field_id, position } = input;
    return this.fields.write(caller, agent_id, async (tx) => {
      await this.fields.find(tx, agent_id, field_id);
      await this.fields.place(tx, agent_id, field_id, position);
      return this.fields.read(tx, agent_id, field_id);
    });
  }
}
