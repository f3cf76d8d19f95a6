import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { listed } from '../../database/listed.ts'
import { param, statement } from '../../database/statement.ts'
import { Refusal } from '../../errors.ts'
import type { Env } from '../../platform/access/env.ts'
import type { SettingsSnapshot } from '../../platform/settings/settings.ts'
import { storedTime } from '../../time.ts'

type Kind = 'call' | 'message'
type Limits = Pick<
  SettingsSnapshot,
  'barredPrefixes' | 'callsADay' | 'callsADayOfUser' | 'messagesADay' | 'messagesADayOfUser'
>
/** Whose limit is reached. */
type Reached = 'company' | 'user'

/** In the place of a person, where all are counted. */
const COMPANY = 0
/** Who is nobody here, and has no limit of their own. */
export const NOBODY = 0
/** Without a limit. */
const ENDLESS = 2_147_483_647
const DAY_CHARS = 'YYYY-MM-DD'.length

// One row counts at a time: who comes when the limit is reached gets no row back.
const COUNT = statement<{ user: number }, { day: string; kind: Kind; who: readonly number[]; most: readonly number[] }>(
  'outgoing_count',
  sql`insert into connect_outgoing_count as c (day, kind, "user", count)
      select ${param('day')}::date, ${param('kind')}, who, 1
        from unnest(${param('who')}::bigint[], ${param('most')}::int[]) as wanted (who, most) order by who
      on conflict (day, kind, "user") do update set count = c.count + 1
        where c.count < (select most from unnest(${param('who')}::bigint[], ${param('most')}::int[]) as w (who, most)
                         where w.who = c."user")
      returning "user"`,
)

const GIVE_BACK = statement<object, { day: string; kind: Kind; who: readonly number[] }>(
  'outgoing_give_back',
  sql`update connect_outgoing_count set count = count - 1
      where day = ${param('day')}::date and kind = ${param('kind')} and "user" in ${listed('who', 'bigint')}`,
)

/** Whether a number begins as one that is never called or written to. */
export function isBarred({ barredPrefixes }: Pick<Limits, 'barredPrefixes'>, number: string): boolean {
  const dialled = number.replace(/^(?:\+?00|\+011)/, '+')
  return barredPrefixes.some((prefix) => dialled.startsWith(prefix))
}

/** Throws a refusal for a number that is never called or written to. */
export function requireNotBarred(settings: Pick<Limits, 'barredPrefixes'>, number: string): void {
  if (!isBarred(settings, number)) return
  const sentence = `${number} is among the numbers that are never called or written to; a manager can change that in the settings.`
  throw new Refusal('refused', sentence)
}

/**
 * Counts a call or a message that somebody begins, in the same transaction. Throws a refusal for a number that is barred, and
 * when the company or the person has begun as many today as the settings allow. The one place for whatever costs money.
 */
export async function takeOutgoing(env: Env, wanted: { kind: Kind; number: string }): Promise<void> {
  requireNotBarred(env.settings, wanted.number)
  const reached = await countOutgoing(env, { kind: wanted.kind, user: env.identity.userId })
  if (reached !== undefined) throw tooMany(wanted.kind, reached)
}

/** Counts one more for the company and for a person; gives whose limit was reached before, where it counts for neither. */
export async function countOutgoing(
  { db, settings, now }: { db: Queryable; settings: Limits; now: Date },
  { kind, user }: { kind: Kind; user: number },
): Promise<Reached | undefined> {
  const [ofAll, ofOne] =
    kind === 'call'
      ? [settings.callsADay, settings.callsADayOfUser]
      : [settings.messagesADay, settings.messagesADayOfUser]
  const who = user === NOBODY ? [COMPANY] : [COMPANY, user]
  const most = [ofAll, ofOne].slice(0, who.length).map((each) => (each > 0 ? each : ENDLESS))
  const day = storedTime(now).slice(0, DAY_CHARS)
  const counted = (await db.run(COUNT, { day, kind, who, most })).map(({ user: each }) => Number(each))
  if (counted.length === who.length) return undefined
  // What is not begun counts for nobody.
  if (counted.length > 0) await db.run(GIVE_BACK, { day, kind, who: counted })
  return counted.includes(COMPANY) ? 'user' : 'company'
}

function tooMany(kind: Kind, reached: Reached): Refusal {
  if (kind === 'call') {
    return reached === 'company'
      ? new Refusal('too-many', 'As many calls were begun today as the settings allow; a manager can allow more.')
      : new Refusal('too-many', 'You have begun as many calls today as the settings allow; a manager can allow more.')
  }
  return reached === 'company'
    ? new Refusal('too-many', 'As many messages were sent today as the settings allow; a manager can allow more.')
    : new Refusal('too-many', 'You have sent as many messages today as the settings allow; a manager can allow more.')
}
