import { type CustomDecorator, SetMetadata } from '@nestjs/common';

const WITHOUT_HEAD = Symbol('without HEAD');

/** For GET handlers whose reply has no known length. */
export const WithoutHead = (): CustomDecorator<symbol> => SetMetadata(WITHOUT_HEAD, true);

export const isWithoutHead = (handler: object): boolean => Reflect.hasMetadata(WITHOUT_HEAD, handler);
