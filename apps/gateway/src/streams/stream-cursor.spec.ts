import { frameOf, liveEvent, isTerminal, StreamCursor } from './stream-cursor.js';

const event = (seq: number) => ({ seq });

describe('the cursor of a stream', () => {
  it('sends the next event, drops repeats, and detects a gap without moving', () => {
    const cursor = new StreamCursor(2);
    expect(cursor.receive(event(3))).toBe('send');
    expect(cursor.receive(event(3))).toBe('known');
    expect(cursor.receive(event(1))).toBe('known');
    expect(cursor.receive(event(6))).toBe('gap');
    expect(cursor.seq).toBe(3);
  });

  it('fills the gap from storage and drops the live copies that arrive meanwhile', () => {
    const cursor = new StreamCursor(0);
    expect(cursor.receive(event(3))).toBe('gap');
    expect([1, 2].map((seq) => cursor.read(event(seq)))).toEqual([true, true]);
    expect(cursor.receive(event(3))).toBe('send');
    expect(cursor.read(event(3))).toBe(false);
    expect(cursor.receive(event(4))).toBe('send');
  });

  it('sends every event exactly once whatever the order of live and stored ones', () => {
    const cursor = new StreamCursor(0);
    const sent: number[] = [];
    const live = (seq: number) => cursor.receive(event(seq)) === 'send' && sent.push(seq);
    const stored = (...seqs: number[]) => seqs.forEach((seq) => cursor.read(event(seq)) && sent.push(seq));
    live(2);
    stored(1, 2, 3);
    live(3);
    live(5);
    stored(3, 4, 5);
    live(4);
    live(6);
    expect(sent).toEqual([1, 2, 3, 4, 5, 6]);
  });
});

describe('frames', () => {
  it('carry id, type and data on single lines', () => {
    const frame = frameOf({ seq: 2, type: 'message.delta', data: { timestamp: 1, task_id: 't', content: 'a\nb' } });
    expect(frame).toBe(
      'id: 2\nevent: message.delta\ndata: {"type":"message.delta","seq":2,"timestamp":1,"task_id":"t","content":"a\\nb"}\n\n',
    );
  });

  it.each([
    ['task.completed', true],
    ['task.failed', true],
    ['task.cancelled', true],
    ['run.timed_out', true],
    ['action.completed', false],
    ['subagent.completed', false],
    ['task.started', false],
    ['task.waiting', false],
  ])('%s ends the stream: %s', (type, ends) => expect(isTerminal(type)).toBe(ends));

  it.each(['', 'null', '{}', '{"seq":"1","type":"x"}', '[1]', '{"seq":1}'])('are not made of %s', (text) =>
    expect(liveEvent(text)).toBeNull(),
  );
});
