import { useEffect, useRef, useState } from 'preact/hooks';

const RETRY_MS = 2000;

/** Reopens lost connections, which continue after the last event. */
class Followed {
  private source: EventSource | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private lastId = '';

  constructor(
    private readonly url: string,
    private readonly types: readonly string[],
    private readonly onEvent: (type: string, data: Record<string, unknown>) => void,
    private readonly onLost: (isLost: boolean) => void,
  ) {}

  /** Browsers allow six connections per host: a hidden page keeps none. */
  readonly followVisible = (): void => {
    if (document.visibilityState === 'hidden') return this.close();
    if (this.source === null) this.open();
  };

  close(): void {
    clearTimeout(this.timer);
    this.source?.close();
    this.source = null;
  }

  private open(): void {
    this.close();
    const source = new EventSource(this.lastId === '' ? this.url : `${this.url}?last_event_id=${this.lastId}`);
    this.source = source;
    source.onopen = () => this.onLost(false);
    source.onerror = () => {
      this.onLost(true);
      // A reply with an error closes a source for good; a lost connection does not.
      if (source.readyState === EventSource.CLOSED) this.timer = setTimeout(() => this.open(), RETRY_MS);
    };
    const take = (event: Event): void => {
      if (!(event instanceof MessageEvent)) return;
      this.lastId = event.lastEventId;
      this.onEvent(event.type, JSON.parse(String(event.data)) as Record<string, unknown>);
    };
    for (const type of this.types) source.addEventListener(type, take);
  }
}

/** Follows while the address is given and the page is visible; true while the connection is lost. */
export function useFollow(
  url: string | null,
  types: readonly string[],
  onEvent: (type: string, data: Record<string, unknown>) => void,
): boolean {
  const [isLost, setIsLost] = useState(false);
  const latest = useRef(onEvent);
  latest.current = onEvent;
  useEffect(() => {
    if (url === null) return;
    const followed = new Followed(url, types, (type, data) => latest.current(type, data), setIsLost);
    followed.followVisible();
    document.addEventListener('visibilitychange', followed.followVisible);
    return () => {
      document.removeEventListener('visibilitychange', followed.followVisible);
      followed.close();
      setIsLost(false);
    };
  }, [url]);
  return isLost;
}
