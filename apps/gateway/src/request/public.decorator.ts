import { type CustomDecorator, SetMetadata } from '@nestjs/common';

const PUBLIC = Symbol('public');

/** Marks a controller or a handler that needs no API key. */
export const Public = (): CustomDecorator<symbol> => SetMetadata(PUBLIC, true);

/** Whether a handler or its controller is marked. */
export const isPublic = (...targets: object[]): boolean =>
  targets.some((target) => Reflect.hasMetadata(PUBLIC, target));
