import type { Readable } from 'node:stream';
import { Busboy } from '@fastify/busboy';
import { ApiError } from '@signalbox/contracts';
import { BodyTooSlow, notComplete } from './body-reader.js';

export interface FormFile {
  field: string;
  /** As the client named it, with folders. */
  name: string;
  type: string;
  content: Readable;
}

export interface FormLimits {
  files: number;
  fields: number;
  fieldBytes: number;
}

/** For what stands before, between or after files; whoever reads a file limits its arrival. */
const FIELDS_MS = 30_000;

export interface Form<T> {
  fields: [name: string, text: string][];
  files: { field: string; value: T }[];
}

/** The parser has plain errors for what a client sends; a TypeError is a defect of ours, whose text is for the log. */
const ofParser = (error: unknown, message: string): unknown =>
  error instanceof TypeError ? error : new ApiError('invalid', message);

const unbounded = (error: unknown): unknown =>
  ofParser(error, 'the Content-Type of the form does not name a valid boundary');
const truncated = (error: unknown): unknown => ofParser(error, 'the form is not complete');
const nameless = (): ApiError => new ApiError('invalid', 'a part of the form has no name');
const tooMany = (): ApiError => new ApiError('invalid', 'the form has too many parts');

/**
 * `take` must consume the content of each file. Rejects with 400 for a form that is malformed or exceeds the limits,
 * and with whatever `take` rejects with.
 */
export function readForm<T>(
  body: Readable,
  contentType: string,
  limits: FormLimits,
  take: (file: FormFile) => Promise<T>,
  fieldsMs = FIELDS_MS,
): Promise<Form<T>> {
  return new Promise((resolve, reject) => {
    const fields: Form<T>['fields'] = [];
    const files: Promise<Form<T>['files'][number]>[] = [];
    let openFiles = 0;
    let isOver = false;
    let slow: NodeJS.Timeout | undefined;
    const awaitFields = (): void => {
      if (openFiles === 0 && !isOver) slow = setTimeout(() => failed(new BodyTooSlow()), fieldsMs);
    };
    const over = (): void => {
      isOver = true;
      clearTimeout(slow);
    };
    const failed = (error: unknown): void => {
      over();
      body.unpipe();
      reject(error as Error);
    };
    let form: InstanceType<typeof Busboy>;
    try {
      const bounds = { files: limits.files, fields: limits.fields, fieldSize: limits.fieldBytes };
      form = new Busboy({ headers: { 'content-type': contentType }, preservePath: true, limits: bounds });
    } catch (error) {
      return failed(unbounded(error));
    }
    form.on('field', (name: string | undefined, text, isNameCut, isTextCut) => {
      if (name === undefined) failed(nameless());
      else if (isNameCut || isTextCut) failed(new ApiError('too_large', `the field ${name.slice(0, 200)} is too long`));
      else fields.push([name, text]);
    });
    form.on('file', (field: string | undefined, content, name, _encoding, type) => {
      // The file must end with the form; nobody may be reading it by then, hence the listener.
      content.on('error', () => undefined);
      openFiles++;
      clearTimeout(slow);
      content.once('end', () => {
        openFiles--;
        awaitFields();
      });
      const end = (): unknown => content.destroy(notComplete());
      form.on('error', end);
      body.on('error', end);
      if (field === undefined) {
        content.resume();
        return failed(nameless());
      }
      const taken = take({ field, name: name ?? '', type, content: content as unknown as Readable });
      const kept = taken.then((value) => ({ field, value }));
      // A malformed form never finishes, so rejections are not left to `Promise.all` below.
      kept.catch(failed);
      files.push(kept);
    });
    for (const limit of ['filesLimit', 'fieldsLimit', 'partsLimit'] as const) form.on(limit, () => failed(tooMany()));
    form.on('error', (error) => failed(truncated(error)));
    body.on('error', () => failed(notComplete()));
    form.once('finish', () => {
      over();
      void Promise.all(files).then((taken) => resolve({ fields, files: taken }), failed);
    });
    awaitFields();
    body.pipe(form);
  });
}
