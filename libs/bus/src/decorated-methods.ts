import { Injectable } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';

type Method = (...args: unknown[]) => Promise<unknown>;

/** A method with the metadata of a decorator, bound to its provider. */
export interface DecoratedMethod<Metadata> {
  metadata: Metadata;
  /** The provider that has the method. */
  instance: object;
  run: (...args: unknown[]) => Promise<void>;
}

export const decorateMethod = (key: string, method: unknown, metadata: object): void =>
  Reflect.defineMetadata(key, metadata, method as object);

/** Another method of the provider, which the metadata names. */
export const methodOf = (instance: object, name: string): Method =>
  ((instance as Record<string, Method>)[name] as Method).bind(instance);

/** Finds the methods of all providers and controllers of a process that have a decorator. */
@Injectable()
export class DecoratedMethodScanner {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
  ) {}

  /** The methods with metadata of this key; a provider with two tokens counts once. */
  of<Metadata>(key: string): DecoratedMethod<Metadata>[] {
    const wrappers = this.discovery.getProviders().concat(this.discovery.getControllers());
    const instances = new Set(wrappers.map(({ instance }): unknown => instance));
    return [...instances].flatMap((instance) =>
      typeof instance === 'object' && instance !== null ? this.ofInstance<Metadata>(key, instance) : [],
    );
  }

  private ofInstance<Metadata>(key: string, instance: object): DecoratedMethod<Metadata>[] {
    const prototype = Object.getPrototypeOf(instance) as Record<string, Method> | null;
    if (prototype === null) return [];
    return this.scanner.getAllMethodNames(prototype).flatMap((name) => {
      const method = prototype[name];
      if (!method) return [];
      const metadata = this.reflector.get<Metadata | undefined>(key, method);
      const run = method.bind(instance) as DecoratedMethod<Metadata>['run'];
      return metadata === undefined ? [] : [{ metadata, instance, run }];
    });
  }
}
