import { RequestRecords } from '@signalbox/contracts';
import { companyOfLine, lineOf, recordOfLine } from './record-line.js';
import { type FinishedCall, recordOf } from '../request-records/index.js';

const HOSTILE = 'a\tb\t,c\n"]}\\u0000 \u0000 \ud800 {"records":[\n,\n é🙂';

const call: FinishedCall = {
  requestId: '00000000-0000-4000-8000-000000000001',
  companyId: 7,
  place: { applicationId: 1, intentId: null, intentGroupId: 3 },
  agentId: 4,
  sessionId: 's\t,1',
  inSession: true,
  referenceId: 'null',
  requestType: 'PROD',
  inferenceLocation: 'SERVER',
  model: HOSTILE,
  provider: 'p',
  metadata: { [HOSTILE]: HOSTILE },
  params: { messages: [{ role: 'user', content: HOSTILE }], temperature: 1e-7 },
  answer: { choices: [{ message: { content: HOSTILE } }] },
  failure: null,
  fallback: { reason: HOSTILE, primary: 'other', strategy: 'reactive' },
  usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3, cost: 0.1 },
  firstTokenMs: 5,
  responseMs: 0,
  began: 1_760_000_000_123,
};
const records = [recordOf(call), recordOf({ ...call, answer: null, fallback: null, agentId: null, sessionId: null })];

describe('a line of the spool', () => {
  it('restores its record, whatever texts it contains', () => {
    for (const record of records) {
      expect(recordOfLine(lineOf(record))).toEqual(record);
      expect(lineOf(record)).not.toContain('\n');
      expect(companyOfLine(lineOf(record))).toBe(7);
    }
  });

  it('is JSON whose texts are not escaped twice', () => {
    const { params } = records[0]!;
    expect(JSON.parse(lineOf(records[0]!))).toContainEqual(JSON.parse(params));
    expect(lineOf(records[0]!)).toContain(params);
  });

  it('may be an object of an earlier release', () => {
    const line = JSON.stringify(records[0]);
    expect(recordOfLine(line)).toEqual(records[0]);
    expect(companyOfLine(line)).toBe(7);
  });

  it('is refused when it is damaged', () => {
    const line = lineOf(records[0]!);
    const damaged = [
      '',
      'not json',
      '[1',
      line.slice(1),
      line.slice(0, -1),
      line.slice(0, line.indexOf('\t')),
      `${line}\t,{}]`,
    ];
    for (const each of damaged) expect(() => recordOfLine(each)).toThrow();
    expect(companyOfLine('not json')).toBe(0);
  });
});

describe('lines on the bus', () => {
  it('are sent unchanged', () => {
    const lines = [...records.map(lineOf), JSON.stringify(records[0])];
    const message = RequestRecords.textOf(lines);
    expect(RequestRecords.fromText(message.text).records).toEqual(lines);
    expect((JSON.parse(message.text) as { records: object[] }).records).toHaveLength(3);
  });

  it('are read from a message of an earlier release', () => {
    const text = `{"records":[${records.map((record) => JSON.stringify(record)).join(',')}]}`;
    expect(RequestRecords.fromText(text).records.map(recordOfLine)).toEqual(records);
  });

  it('are refused unless they are a list', () => {
    expect(() => RequestRecords.fromText('{"records":1}')).toThrow('records must be a list');
    expect(() => RequestRecords.fromText('{"rec')).toThrow();
  });
});
