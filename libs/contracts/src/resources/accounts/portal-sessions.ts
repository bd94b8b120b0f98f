import { defineContract } from '../../contract.js';
import { page } from '../../contract/outputs.js';
import { type Scope, SCOPES } from '../../contract/caller.js';
import { oneOfType } from '../../fields/field-types.js';
import { Epoch, Flag, Id, List, Name, Optional, Str } from '../../fields/fields.js';
import { Deleted, ListQuery } from '../../shapes.js';
import { Identity } from './identities.js';

/** A browser that is signed in to the portal with an API key. */
export class PortalSession {
  @Id() id!: number;
  @Id() key_id!: number;
  @Name() key_name!: string;
  @Epoch() date_created!: number;
  @Epoch() last_seen_at!: number;
  /** When it ends at the latest; it ends earlier when it is not used for twelve hours. */
  @Epoch() expires_at!: number;
  @Str(0, 200) user_agent!: string;
}

class SessionPath {
  @Id() portal_session_id!: number;
}

export const portalSessions = defineContract(
  { name: 'portal-sessions', service: 'accounts', tag: 'Portal sessions' },
  {
    listPortalSessions: {
      get: '/portal-sessions',
      summary: 'List the browsers that are signed in to the portal',
      scope: 'admin',
      input: ListQuery,
      output: page(PortalSession),
    },
    endPortalSession: {
      delete: '/portal-sessions/{portal_session_id}',
      summary: 'Sign a browser out of the portal',
      scope: 'admin',
      input: SessionPath,
      output: Deleted,
    },
  },
);

export class PortalLogin {
  @Id() company_id!: number;
  @Name() company_name!: string;
  @Name() key_name!: string;
  @List(oneOfType(SCOPES)) scopes!: Scope[];
  @Epoch() expires_at!: number;
}
class OpenedSession extends PortalLogin {
  /** The value of the cookie. */
  @Str(43, 43) token!: string;
}
class OpenSession {
  /** An API key; this or a ticket. */
  @Str(1, 200) @Optional() key?: string;
  @Str(1, 200) @Optional() ticket?: string;
  @Str(0, 200) user_agent!: string;
}
class SessionToken {
  @Str(1, 200) token!: string;
}
class ClosedSession {
  @Flag() closed!: boolean;
}
/** Internal: the gateway opens, resolves and closes sessions of browsers. */
export const portalLogins = defineContract(
  { name: 'portal-logins', service: 'accounts', tag: 'Internal' },
  {
    openSession: { summary: 'Sign in with a key or a ticket', input: OpenSession, output: OpenedSession },
    describeSession: { summary: 'Get what a browser shows of its session', input: SessionToken, output: PortalLogin },
    resolveSession: { summary: 'Resolve a session to its company and scopes', input: SessionToken, output: Identity },
    closeSession: { summary: 'Sign out', input: SessionToken, output: ClosedSession },
  },
);
