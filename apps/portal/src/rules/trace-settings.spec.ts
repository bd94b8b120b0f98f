import { traceSettings } from './trace-settings.js';

describe('the variables of an exporter', () => {
  it('keep the name of the agent one word of a shell, and encode what ends an attribute', () => {
    const settings = traceSettings({ agent_name: "it's $(rm) x", application_name: "A=1,B='2'" }, 'http://here:1');
    expect(settings).toContain(String.raw`export OTEL_SERVICE_NAME='it'\''s $(rm) x'`);
    expect(settings).toContain("='service.namespace=A%3D1%2CB%3D%272%27,service.version=1.0.0,");
  });

  it('send to the address that exporters add their path to', () => {
    const settings = traceSettings({ agent_name: 'a', application_name: null }, 'http://here:1');
    expect(settings).toContain("OTEL_EXPORTER_OTLP_ENDPOINT='http://here:1/otel'");
    expect(settings).not.toContain('service.namespace');
  });
});
