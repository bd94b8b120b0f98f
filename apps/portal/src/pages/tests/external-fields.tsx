import { Field } from '../../parts/form.js';
import { type Secret, SecretFields } from '../../parts/secret-fields.js';
import { USUAL_BODY } from '../../rules/external-consumer.js';

export function ExternalFields({
  secrets,
  change,
}: {
  secrets: readonly Secret[];
  change: (secrets: Secret[]) => void;
}) {
  return (
    <>
      <Field label="Address" hint="It is called for each item, with a POST of JSON.">
        <input name="url" type="url" class="mono" required maxLength={2000} placeholder="https://" />
      </Field>
      <Field label="Headers" hint="One on each line. {{secrets.NAME}} stands for a secret below.">
        <textarea
          name="headers"
          class="mono"
          rows={2}
          spellcheck={false}
          placeholder="Authorization: Bearer {{secrets.TOKEN}}"
        />
      </Field>
      <Field label="Body" hint="The texts {{input}} and {{messages}} become the values of the item.">
        <textarea name="body_template" class="mono" rows={3} spellcheck={false} defaultValue={USUAL_BODY} />
      </Field>
      <Field label="Where the output is" hint="A path in the answer, such as answer.text. Empty: the whole answer.">
        <input name="output_path" class="mono" maxLength={500} />
      </Field>
      <SecretFields secrets={secrets} change={change} />
    </>
  );
}
