import { type Class, type Field, fieldsOf, type JsonSchema } from '@signalbox/contracts';

/** Collects the schemas of a document by name; each is written when it is first referenced. */
export class SchemaComponents {
  readonly schemas: Record<string, JsonSchema> = {};
  private readonly named = new Map<Class, string>();

  /** Returns a reference to the schema of a class and writes the schema on first use. */
  ref(cls: Class): JsonSchema {
    let name = this.named.get(cls);
    if (!name) {
      name = this.freeName(cls.name);
      this.named.set(cls, name);
      this.schemas[name] = {};
      this.schemas[name] = this.object([...fieldsOf(cls).values()]);
    }
    return { $ref: `#/components/schemas/${name}` };
  }

  /** A separate schema that no class declares; within itself it is named alone. */
  private shared(name: string, schema: JsonSchema | undefined): JsonSchema {
    if (schema && !(name in this.schemas)) {
      this.schemas[name] = {};
      this.schemas[name] = this.resolve(schema) as JsonSchema;
    }
    return { $ref: `#/components/schemas/${name}` };
  }

  private freeName(wanted: string): string {
    for (let at = 1; ; at++) {
      const name = at === 1 ? wanted : `${wanted}${at}`;
      if (!(name in this.schemas)) return name;
    }
  }

  object(all: Field[]): JsonSchema {
    const fields = all.filter((field) => !field.rest);
    const required = fields.filter((field) => !field.optional).map((field) => field.name);
    return {
      type: 'object',
      properties: Object.fromEntries(fields.map((field) => [field.name, this.property(field)])),
      ...(required.length ? { required } : {}),
      additionalProperties: fields.length < all.length,
    };
  }

  property(field: Field): JsonSchema {
    const schema = this.resolve(field.type.schema()) as JsonSchema;
    const value = typeof field.default === 'function' ? (field.default as () => unknown)() : field.default;
    return {
      ...(field.nullable ? { anyOf: [schema, { type: 'null' }] } : schema),
      ...(value === undefined || value === null || typeof value === 'object' ? {} : { default: value }),
      ...(field.description ? { description: field.description } : {}),
    };
  }

  /** Field types name nested classes by `$class`, and schemas without a class by `$named`; the document uses references. */
  private resolve(schema: unknown): unknown {
    if (Array.isArray(schema)) return schema.map((part) => this.resolve(part));
    if (typeof schema !== 'object' || schema === null) return schema;
    if ('$class' in schema) return this.ref(schema.$class as Class);
    if ('$named' in schema) return this.shared(String(schema.$named), (schema as { schema?: JsonSchema }).schema);
    return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, this.resolve(value)]));
  }
}
