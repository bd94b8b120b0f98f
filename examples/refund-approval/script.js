// Decides about a refund: small and clear ones are approved, unclear ones are rejected, the rest goes to a person. It
// nests the workflow `ticket-triage`, and sends an escalation at most once, also when its worker is lost in between.

const LIMIT = 50;

async function execute(ctx) {
  const { order_id, amount, subject, body } = ctx.input;
  const triage = await ctx.workflows.execute('ticket-triage', { subject, body });
  const decision = decide(amount, triage, ctx.params.limit ?? LIMIT);
  ctx.log('info', { order_id, decision });
  if (decision.decision !== 'escalated') return { order_id, ...decision, triage };
  const approval_id = await ctx.step('escalate', () => escalate(ctx, { order_id, amount, ...decision, triage }));
  return { order_id, ...decision, triage, approval_id };
}

function decide(amount, { wish, urgency }, limit) {
  if (wish !== 'refund') return { decision: 'rejected', reason: 'the message asks for no refund' };
  if (amount <= limit) return { decision: 'approved', reason: `the amount is at most ${limit}` };
  return { decision: 'escalated', reason: urgency >= 4 ? 'urgent, above the limit' : `the amount is above ${limit}` };
}

/** Opens a case where people approve; without an address the escalation is only recorded in the run. */
async function escalate(ctx, given) {
  const { approval_url: url } = ctx.params;
  if (!url) return null;
  const token = ctx.secrets.get('APPROVAL_TOKEN');
  const response = await ctx.http.fetch(url, {
    method: 'POST',
    headers: {
      // The receiver drops a second call of the same run.
      'Idempotency-Key': ctx.run.id,
      ...(token ? { Authorization: `Bearer ${token}` } : {}),
    },
    body: given,
    timeout_ms: 10_000,
  });
  if (response.status >= 300) throw new Error(`the approval service answered with status ${response.status}`);
  return response.json?.approval_id ?? null;
}
