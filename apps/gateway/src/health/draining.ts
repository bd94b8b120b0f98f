import { Injectable } from '@nestjs/common';

/** Whether the gateway has been told to stop. */
@Injectable()
export class Draining {
  started = false;
}
