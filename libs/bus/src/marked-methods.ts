import { Injectable } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';

/** A method that a decorator marks, bound to its provider. */
export interface MarkedMethod<Mark> {
  mark: Mark;
  /** The provider that has the method. */
  instance: object;
  run: (...args: unknown[]) => Promise<void>;
}

type Method = MarkedMethod<unknown>['run'];

/** Stores the options of a decorator for a method. */
export const markMethod = (key: string, method: unknown, mark: object): void =>
  Reflect.defineMetadata(key, mark, method as object);

/** Finds the methods of all providers and controllers of a process that a decorator marks. */
@Injectable()
export class MarkedMethods {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
  ) {}

  /** The methods with a mark of this key; a provider with two tokens counts once. */
  of<Mark>(key: string): MarkedMethod<Mark>[] {
    const wrappers = this.discovery.getProviders().concat(this.discovery.getControllers());
    const instances = new Set(wrappers.map(({ instance }): unknown => instance));
    return [...instances].flatMap((instance) =>
      typeof instance === 'object' && instance !== null ? this.ofInstance<Mark>(key, instance) : [],
    );
  }

  private ofInstance<Mark>(key: string, instance: object): MarkedMethod<Mark>[] {
    const prototype = Object.getPrototypeOf(instance) as Record<string, Method> | null;
    if (prototype === null) return [];
    return this.scanner.getAllMethodNames(prototype).flatMap((name) => {
      const method = prototype[name];
      if (!method) return [];
      const mark = this.reflector.get<Mark | undefined>(key, method);
      return mark === undefined ? [] : [{ mark, instance, run: method.bind(instance) }];
    });
  }
}
