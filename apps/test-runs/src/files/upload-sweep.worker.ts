import { Injectable } from '@nestjs/common';
import { Every } from '@signalbox/bus';
import { Uploads } from '@signalbox/database';

const SWEEP_MS = 600_000;

@Injectable()
export class UploadSweep {
  constructor(private readonly uploads: Uploads) {}

  @Every(SWEEP_MS, 'abandoned uploads could not be deleted')
  sweep(): Promise<void> {
    return this.uploads.deleteAbandoned();
  }
}
