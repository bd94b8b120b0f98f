import { Flag, Id, Json, Nullable, SemVer, Slug, Str } from '../../fields/fields.js';

export class VersionPublished {
  @Id() id!: number;
  @SemVer() version!: string;
  @Str(0, 2000) notes!: string;
}

/** A release that points to another version now. */
export class ReleaseMoved {
  @Slug() release_name!: string;
  @SemVer() @Nullable() from_version!: string | null;
  @SemVer() to_version!: string;
  @Flag() overridden!: boolean;
}

/** The id of a deleted resource. */
export class Gone {
  @Json() id!: number | string;
}
