import { Controller } from '@nestjs/common';
import { MessagePattern } from '@nestjs/microservices';
import { PARAM_ARGS_METADATA } from '@nestjs/microservices/constants.js';
import type { Contract, Handlers } from '@signalbox/contracts';

export class WithHeaders<T> {
  constructor(
    readonly body: T,
    readonly headers: Record<string, string>,
  ) {}
}

/**
 * Binds a class to a contract: each endpoint is a Nest message pattern on the method of the same name. A missing
 * handler, or one of the wrong type, does not compile.
 */
export function Serves<C extends Contract>(contract: C) {
  return <T extends new (...args: never[]) => Handlers<C>>(target: T): void => {
    Controller()(target);
    for (const endpoint of Object.values(contract.endpoints)) {
      const descriptor = methodOf(target.prototype as object, endpoint.name);
      if (!descriptor) throw new Error(`${target.name} does not serve ${contract.name}.${endpoint.name}`);
      MessagePattern(endpoint.subject, { endpoint })(target.prototype as object, endpoint.name, descriptor);
      // Without decorated parameters Nest passes the call on unchanged.
      Reflect.defineMetadata(PARAM_ARGS_METADATA, {}, target, endpoint.name);
    }
  };
}

function methodOf(prototype: object | null, name: string): PropertyDescriptor | undefined {
  if (prototype === null) return undefined;
  return Object.getOwnPropertyDescriptor(prototype, name) ?? methodOf(Object.getPrototypeOf(prototype) as object, name);
}
