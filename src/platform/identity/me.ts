import { type Static, Type } from 'typebox'
import type { Queryable } from '../../database/database.ts'
import { mayAccess } from '../access/access.ts'
import type { Platform } from '../access/env.ts'
import type { Identity } from '../access/identity.ts'
import type { Models } from '../model/declaration.ts'
import type { SettingsSnapshot } from '../settings/settings.ts'
import { findSession } from './sessions.ts'

const OPERATIONS = [
  ['r', 'read'],
  ['w', 'write'],
  ['c', 'create'],
  ['d', 'unlink'],
] as const

const Nullable = Type.Union([Type.String(), Type.Null()])
const PersonShape = Type.Object({
  name: Type.String(),
  tz: Nullable,
  lang: Nullable,
  phone: Type.Union([Type.Object({ id: Type.Integer(), extension: Nullable }), Type.Null()]),
})
/** What the areas know of a user. */
export type Person = Static<typeof PersonShape>

/** Who is signed in, with all that a page needs to know before it shows anything. */
export const Me = Type.Object({
  id: Type.Integer(),
  login: Type.String(),
  partner_id: Type.Union([Type.Integer(), Type.Null()]),
  groups: Type.Array(Type.String()),
  ...PersonShape.properties,
  access: Type.Record(Type.String(), Type.String(), {
    description: 'Models that one may do anything with: r read, w write, c create, d delete.',
  }),
  features: Type.Record(Type.String(), Type.Boolean(), { description: 'What is set up.' }),
  session: Type.Union([Type.Object({ expires_at: Type.String() }), Type.Null()]),
  installation: Type.Object({ name: Nullable, tz: Nullable, country: Nullable }),
  build: Type.String(),
})

/** What only the product knows of a user and of itself. */
export interface MeParts {
  findPerson(db: Queryable, userId: number): Promise<Person>
  /** What is set up, by name. */
  featuresOf(settings: SettingsSnapshot): Record<string, boolean>
  /** Which build browsers are served. */
  build(): string
}

/** Who an identity is; `token` is that of its session, where it has one. */
export async function describeMe(
  { platform, db, findPerson, featuresOf, build }: MeParts & { platform: Platform; db: Queryable },
  identity: Identity,
  token: string | undefined,
): Promise<Static<typeof Me>> {
  const { userId, login, partnerId, groups } = identity
  const settings = await platform.settings.get()
  const person = await findPerson(db, userId)
  const session = token === undefined ? undefined : await findSession(db, token)
  return {
    id: userId,
    login,
    partner_id: partnerId ?? null,
    groups: [...groups].sort(),
    ...person,
    access: accessOf(platform.models, identity),
    features: featuresOf(settings),
    session: session === undefined ? null : { expires_at: session.expires_at },
    installation: {
      name: settings.companyName ?? null,
      tz: settings.zone ?? null,
      country: settings.country ?? null,
    },
    build: build(),
  }
}

function accessOf(models: Models, identity: Identity): Record<string, string> {
  const rights = [...models].map((model): [string, string] => [
    model.name,
    OPERATIONS.flatMap(([letter, operation]) => (mayAccess(identity, model, operation) ? [letter] : [])).join(''),
  ])
  return Object.fromEntries(rights.filter(([, letters]) => letters !== ''))
}
