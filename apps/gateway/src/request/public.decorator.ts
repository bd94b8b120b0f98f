import { type CustomDecorator, SetMetadata } from '@nestjs/common';

const PUBLIC = Symbol('public');

export const Public = (): CustomDecorator<symbol> => SetMetadata(PUBLIC, true);

export const isPublic = (...targets: object[]): boolean =>
  targets.some((target) => Reflect.hasMetadata(PUBLIC, target));
