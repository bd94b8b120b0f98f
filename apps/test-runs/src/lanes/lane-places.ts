import { CallTurn } from './call-turn.js';

/** How long a lane keeps its worker slot while the jobs of other companies wait. */
const TURN_MS = 5000;
/** After a call this short the lane takes its next item while the result is recorded. */
export const SHORT_CALL_MS = 500;
/** How long a taken item waits for the call before it; then it is pending again, for every lane. */
const MAX_WAIT_MS = 1000;

/** One of the two places of a lane. */
export interface Place<Lane> {
  lane: Lane;
  /** Whether it takes only the item that a lost worker has left. */
  onlyLeft: boolean;
}

/** What a lane does with its items. */
export interface LaneSteps<Lane, Item, Result extends { durationMs: number }> {
  /** Takes the item that a lost worker has left at the place, else a pending one. */
  begin(place: Place<Lane>): Promise<Item | null>;
  putBack(lane: Lane, item: Item): Promise<void>;
  call(lane: Lane, item: Item): Promise<Result>;
  /** Whether so few items are pending that each is left to a lane with nothing to do. */
  isNearEnd(item: Item): boolean;
  /** Records the result; returns the next item of the place unless the lane ends. */
  record(lane: Lane, item: Item, result: Result, goesOn: boolean): Promise<Item | null>;
}

/**
 * A lane while a worker holds its job. It has two places and makes one call at a time: while the result of one item is
 * recorded, the call of the other is under way. The second place is used only between short calls, where recording
 * takes as long as calling, so that no item waits in one lane while another has nothing to do.
 */
export class LanePlaces<Lane, Item, Result extends { durationMs: number }> {
  private readonly turn = new CallTurn();
  private readonly until = Date.now() + TURN_MS;
  private readonly open = new Set<Lane>();
  private hasPending = true;
  private isCut = false;
  private usesOne = false;
  private failure: { error: unknown } | null = null;
  private end: () => void = () => undefined;

  constructor(
    private readonly places: readonly [Lane, Lane],
    private readonly stopping: AbortSignal,
    private readonly steps: LaneSteps<Lane, Item, Result>,
  ) {}

  /** Works until nothing is pending, or its time is over; returns whether it ended before all was done. */
  async work(): Promise<boolean> {
    const ended = new Promise<void>((resolve) => (this.end = resolve));
    const [first, second] = this.places;
    this.start({ lane: first, onlyLeft: false });
    this.start({ lane: second, onlyLeft: true });
    await ended;
    if (this.failure) throw this.failure.error;
    return this.isCut;
  }

  private start(place: Place<Lane>): void {
    this.open.add(place.lane);
    void this.run(place)
      .catch((error: unknown) => (this.failure ??= { error }))
      .finally(() => {
        this.open.delete(place.lane);
        if (this.open.size === 0) this.end();
      });
  }

  private async run(place: Place<Lane>): Promise<void> {
    const { lane, onlyLeft } = place;
    let item = await this.steps.begin(place);
    if (!item && !onlyLeft) this.hasPending = false;
    while (item) {
      if (!(await this.turn.take(MAX_WAIT_MS))) return this.putBack(lane, item);
      const result = await this.call(lane, item);
      if (!result) return this.putBack(lane, item);
      const goesOn = this.goesOn();
      const closes = this.closes(item);
      if (goesOn && result.durationMs < SHORT_CALL_MS) this.useBoth();
      item = await this.steps.record(lane, item, result, goesOn && !closes);
      if (!goesOn) this.isCut = true;
      else if (!item && !closes) this.hasPending = false;
    }
  }

  /** Calls with the turn of this place; null when the lane has ended while the item waited. */
  private async call(lane: Lane, item: Item): Promise<Result | null> {
    try {
      return this.goesOn() ? await this.steps.call(lane, item) : null;
    } finally {
      this.turn.release();
    }
  }

  private async putBack(lane: Lane, item: Item): Promise<void> {
    this.isCut ||= !this.goesOn();
    await this.steps.putBack(lane, item);
    this.hasPending = true;
  }

  /** Whether a place ends with its item, because the other one is enough for the rest. */
  private closes(item: Item): boolean {
    const isEnough = !this.usesOne && this.open.size > 1 && this.steps.isNearEnd(item);
    if (isEnough) this.usesOne = true;
    return isEnough;
  }

  private useBoth(): void {
    if (!this.hasPending || this.usesOne) return;
    for (const lane of this.places) if (!this.open.has(lane)) this.start({ lane, onlyLeft: false });
  }

  private goesOn(): boolean {
    return this.failure === null && !this.stopping.aborted && Date.now() < this.until;
  }
}
