import type { Readable } from 'node:stream';
import { Busboy } from '@fastify/busboy';
import { ApiError } from '@signalbox/contracts';

/** A file of a form, its content to be read at once. */
export interface FormFile {
  /** The field that it is in. */
  field: string;
  /** As the client named it, with its folders. */
  name: string;
  type: string;
  content: Readable;
}

/** How much a form may hold. */
export interface FormLimits {
  files: number;
  fields: number;
  fieldBytes: number;
}

/** The texts of a form, and what has become of its files, each in the order of the form. */
export interface Form<T> {
  fields: [name: string, text: string][];
  files: { field: string; value: T }[];
}

const badForm = (error: unknown): ApiError =>
  error instanceof ApiError ? error : new ApiError('invalid', `the form is not valid: ${(error as Error).message}`);

const tooMany = (): ApiError => new ApiError('invalid', 'the form has too many parts');

/**
 * Reads a form; `take` receives each file, whose content follows while it is read. 400 for a form that is malformed or
 * holds more than the limits, and whatever `take` rejects with.
 */
export function readForm<T>(
  body: Readable,
  contentType: string,
  limits: FormLimits,
  take: (file: FormFile) => Promise<T>,
): Promise<Form<T>> {
  return new Promise((resolve, reject) => {
    const fields: Form<T>['fields'] = [];
    const files: Promise<Form<T>['files'][number]>[] = [];
    const failed = (error: unknown): void => {
      body.unpipe();
      reject(badForm(error));
    };
    let form: InstanceType<typeof Busboy>;
    try {
      const bounds = { files: limits.files, fields: limits.fields, fieldSize: limits.fieldBytes };
      form = new Busboy({ headers: { 'content-type': contentType }, preservePath: true, limits: bounds });
    } catch (error) {
      return failed(error);
    }
    form.on('field', (name, text, isNameCut, isTextCut) => {
      if (isNameCut || isTextCut) failed(new ApiError('too_large', `the field ${name.slice(0, 200)} is too long`));
      else fields.push([name, text]);
    });
    form.on('file', (field, content, name, _encoding, type) => {
      // A form that ends early must end the file too, which may not be read any more then.
      content.on('error', () => undefined);
      const end = (error: Error): unknown => content.destroy(badForm(error));
      form.on('error', end);
      body.on('error', end);
      const taken = take({ field, name: name ?? '', type, content: content as unknown as Readable });
      const kept = taken.then((value) => ({ field, value }));
      // A form that never finishes waits for none of its files.
      kept.catch(failed);
      files.push(kept);
    });
    for (const limit of ['filesLimit', 'fieldsLimit', 'partsLimit'] as const) form.on(limit, () => failed(tooMany()));
    form.on('error', failed);
    body.on('error', failed);
    form.once('finish', () => void Promise.all(files).then((taken) => resolve({ fields, files: taken }), failed));
    body.pipe(form);
  });
}
