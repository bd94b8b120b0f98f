import { Injectable } from '@nestjs/common';
import { type HostContext, type HostMember, textArgument } from './host-call.js';

/** `ctx.secrets.get`. */
@Injectable()
export class SecretReads implements HostMember {
  call({ secrets }: HostContext, [name]: readonly unknown[]): Promise<string | null> {
    const wanted = textArgument(name, 'the name of a secret');
    return Promise.resolve(secrets?.has(wanted) ? secrets.render(`{{secrets.${wanted}}}`) : null);
  }
}
