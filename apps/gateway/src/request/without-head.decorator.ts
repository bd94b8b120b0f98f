import { type CustomDecorator, SetMetadata } from '@nestjs/common';

const WITHOUT_HEAD = Symbol('without HEAD');

/** Marks a GET handler that does not serve HEAD, because the length of its reply is not known. */
export const WithoutHead = (): CustomDecorator<symbol> => SetMetadata(WITHOUT_HEAD, true);

/** Whether a handler is marked. */
export const isWithoutHead = (handler: object): boolean => Reflect.hasMetadata(WITHOUT_HEAD, handler);
