export { FormFieldRow } from './form-field.entity.js';
export { changeState, checkField, type FieldBody, initialState, visibleState } from './form-field.js';
export { FormFieldsModule } from './form-fields.module.js';
export { FormFields } from './form-fields.repository.js';
