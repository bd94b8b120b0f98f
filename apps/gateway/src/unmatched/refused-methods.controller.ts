import { Controller, RequestMapping, RequestMethod, type Type } from '@nestjs/common';
import type { Contract } from '@signalbox/contracts';
import { PathTable, Public } from '../request/index.js';
import { servedPaths } from './served-paths.js';
import { Unmatched } from './unmatched.filter.js';

export function refusedMethodsController(contracts: readonly Contract[]): Type {
  @Controller()
  @Public()
  class RefusedMethodsController {}
  for (const { path, methods } of new PathTable(servedPaths(contracts)).methodsByPath())
    // The adapter serves HEAD with the handler of GET.
    for (const method of methods.filter((each) => each !== 'HEAD' || !methods.includes('GET')))
      addRefusal(RefusedMethodsController.prototype, path, method);
  return RefusedMethodsController;
}

function addRefusal(prototype: object, path: string, method: string): void {
  const name = `${method} ${path}`;
  const refusal = {
    value: (): never => {
      throw new Unmatched();
    },
    configurable: true,
  };
  Object.defineProperty(prototype, name, refusal);
  RequestMapping({
    path: path.replace(/\{(\w+)\}/g, ':$1'),
    method: RequestMethod[method as keyof typeof RequestMethod],
  })(prototype, name, refusal);
}
