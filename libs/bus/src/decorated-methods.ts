import { Injectable } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';

type Method = (...args: unknown[]) => Promise<unknown>;

export interface DecoratedMethod<Metadata> {
  metadata: Metadata;
  instance: object;
  run: (...args: unknown[]) => Promise<void>;
}

export const decorateMethod = (key: string, method: unknown, metadata: object): void =>
  Reflect.defineMetadata(key, metadata, method as object);

export const methodOf = (instance: object, name: string): Method =>
  ((instance as Record<string, Method>)[name] as Method).bind(instance);

@Injectable()
export class DecoratedMethodScanner {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
  ) {}

  /** A provider with two tokens counts once. */
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
