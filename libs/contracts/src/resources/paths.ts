import { Id, Uuid } from '../fields/fields.js';
import { ListQuery, TimedListQuery } from '../shapes.js';

// The paths and lists below an application, an intent, an intent group or a request, which contracts of several
// services share.

export class ApplicationPath {
  @Id() application_id!: number;
}

/** A list below an application. */
export class OfApplication extends ListQuery {
  @Id() application_id!: number;
}

/** A list below an intent. */
export class OfIntent extends TimedListQuery {
  @Id() application_id!: number;
  @Id() intent_id!: number;
}

export class IntentGroupPath {
  @Id() intent_group_id!: number;
}

/** A list below an intent group. */
export class OfIntentGroup extends ListQuery {
  @Id() intent_group_id!: number;
}

export class RequestPath {
  @Uuid() request_id!: string;
}
