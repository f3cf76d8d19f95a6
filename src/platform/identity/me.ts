import { type Static, Type } from 'typebox'
import type { Queryable } from '../../database/database.ts'
import { mayAccess } from '../access/access.ts'
import type { Platform } from '../access/env.ts'
import type { Identity } from '../access/identity.ts'
import type { Models } from '../model/declaration.ts'
import type { SettingsSnapshot } from '../settings/settings.ts'
import { secondFactorOf } from './second-factor/second-factor.ts'
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
  phone: Type.Union([
    Type.Object({
      id: Type.Integer(),
      extension: Nullable,
      rings: Type.Array(Type.String(), {
        description: 'What rings for them, in its order: `client` (the web phone), `sip` or `mobile`.',
      }),
      calls_from: Type.Union([Type.String(), Type.Null()], {
        description: 'What rings first when they click to call: `client` or `sip`; null where neither is set up.',
      }),
    }),
    Type.Null(),
  ]),
  preferences: Type.Record(Type.String(), Type.Unknown(), { description: 'What a page has put down for them.' }),
})
/** What the areas know of a user. */
export type UserFacts = Static<typeof PersonShape>

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
  installation: Type.Object({ name: Nullable, tz: Nullable, country: Nullable }),
  session: Type.Union([
    Type.Object({
      expires_at: Type.String(),
      second_factor: Type.Union([Type.Literal('on'), Type.Literal('off'), Type.Literal('wanted')], {
        description: 'wanted: until one is set up, nothing but that is answered.',
      }),
      recovery_codes: Type.Integer({ description: 'How many are left.' }),
    }),
    Type.Null(),
  ]),
  build: Type.String(),
})

/** What only the product knows of a user and of itself. */
export interface MeParts {
  findUserFacts(db: Queryable, userId: number): Promise<UserFacts>
  /** What is set up, by name. */
  featuresOf(settings: SettingsSnapshot): Record<string, boolean>
  /** Which build browsers are served. */
  build(): string
}

/** Who an identity is; `token` is that of its session, where it has one. */
export async function describeMe(
  { platform, db, findUserFacts, featuresOf, build }: MeParts & { platform: Platform; db: Queryable },
  identity: Identity,
  token: string | undefined,
): Promise<Static<typeof Me>> {
  const { userId, login, partnerId, groups } = identity
  const settings = await platform.settings.get()
  const person = await findUserFacts(db, userId)
  return {
    id: userId,
    login,
    partner_id: partnerId ?? null,
    groups: [...groups].sort(),
    ...person,
    access: accessOf(platform.models, identity),
    features: featuresOf(settings),
    installation: {
      name: settings.companyName ?? null,
      tz: settings.zone ?? null,
      country: settings.country ?? null,
    },
    session: token === undefined ? null : await describeSession(db, token),
    build: build(),
  }
}

async function describeSession(db: Queryable, token: string): Promise<Static<typeof Me>['session']> {
  const session = await findSession(db, token)
  if (session === undefined) return null
  const { isOn, recoveryCodes } = await secondFactorOf(db, session.user_id)
  const wanted = session.lacks_second_factor ? 'wanted' : 'off'
  return { expires_at: session.expires_at, second_factor: isOn ? 'on' : wanted, recovery_codes: recoveryCodes }
}

function accessOf(models: Models, identity: Identity): Record<string, string> {
  const rights = [...models].map((model): [string, string] => [
    model.name,
    OPERATIONS.flatMap(([letter, operation]) => (mayAccess(identity, model, operation) ? [letter] : [])).join(''),
  ])
  return Object.fromEntries(rights.filter(([, letters]) => letters !== ''))
}
