import { Injectable } from '@nestjs/common';

@Injectable()
export class Draining {
  started = false;
}
