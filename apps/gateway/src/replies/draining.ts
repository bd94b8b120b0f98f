import { Injectable } from '@nestjs/common';

/** True once the stop of the gateway has begun. */
@Injectable()
export class Draining {
  started = false;
}
