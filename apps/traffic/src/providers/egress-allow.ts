/** Nest token of the operator's list of permitted private addresses. */
export const EGRESS_ALLOW = Symbol('egress allow');
