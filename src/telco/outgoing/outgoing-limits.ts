import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { limitOfRows } from '../../database/listed.ts'
import { param, statement } from '../../database/statement.ts'
import { Refusal } from '../../errors.ts'
import { toE164 } from '../../phone.ts'
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
export const NO_USER = 0
/** Without a limit. */
const ENDLESS = 2_147_483_647
const DAY_CHARS = 'YYYY-MM-DD'.length

// The rows stay locked until the transaction ends: who counts meanwhile waits, and sees what was given back.
const COUNT = statement<
  { user: number; count: number },
  { day: string; kind: Kind; who: readonly number[]; more: readonly number[] }
>(
  'outgoing_count',
  sql`insert into connect_outgoing_count as c (day, kind, "user", count)
      select ${param('day')}::date, ${param('kind')}, who, more
        from unnest(${param('who')}::bigint[], ${param('more')}::int[]) as wanted (who, more) order by who
      on conflict (day, kind, "user") do update set count = c.count + excluded.count
      returning "user", count`,
)

const GIVE_BACK = statement<never, { day: string; kind: Kind; who: readonly number[]; less: readonly number[] }>(
  'outgoing_give_back',
  sql`update connect_outgoing_count c set count = c.count - given.less
      from (select * from unnest(${param('who')}::bigint[], ${param('less')}::int[]) as each (who, less) ${limitOfRows()}) as given
      where c.day = ${param('day')}::date and c.kind = ${param('kind')} and c."user" = given.who`,
)

/** Whether a number begins as one that is never called or written to, also with a 0 that is left away from abroad (`+41 (0)900…`). */
export function isBarred({ barredPrefixes }: Pick<Limits, 'barredPrefixes'>, number: string): boolean {
  const dialled = number.replace(/^\+?(?:00|011)(?=[1-9])/, '+')
  const forms = [dialled, toE164(dialled, undefined) ?? dialled]
  return barredPrefixes.some((prefix) => forms.some((form) => form.startsWith(prefix)))
}

/** Throws a refusal for a number that is never called or written to. */
export function requireNotBarred(settings: Pick<Limits, 'barredPrefixes'>, number: string): void {
  if (!isBarred(settings, number)) return
  throw new Refusal('refused', 'number-is-barred', { number })
}

/**
 * Counts a call or a message that somebody begins, in the same transaction. Throws a refusal for a number that is barred, and
 * when the company or the person has begun as many today as the settings allow. The one place for whatever costs money.
 */
export async function takeOutgoing(env: Env, wanted: { kind: Kind; number: string }): Promise<void> {
  requireNotBarred(env.settings, wanted.number)
  const [reached] = await countOutgoing(env, { kind: wanted.kind, users: [env.identity.userId] })
  if (reached !== undefined) throw tooMany(wanted.kind, reached)
}

/**
 * Counts one more for the company and for each of these people, in their order; gives whose limit was reached before, where it counts
 * for neither.
 */
export async function countOutgoing(
  { db, settings, now }: { db: Transaction; settings: Limits; now: Date },
  { kind, users }: { kind: Kind; users: readonly number[] },
): Promise<(Reached | undefined)[]> {
  const day = storedTime(now).slice(0, DAY_CHARS)
  const wanted = new Map([[COMPANY, users.length]])
  for (const user of users) if (user !== NO_USER) wanted.set(user, (wanted.get(user) ?? 0) + 1)
  const who = [...wanted.keys()]
  const counted = await db.run(COUNT, { day, kind, who, more: [...wanted.values()] })
  const mostOf = limitsOf(settings, kind)
  const room = new Map(
    counted.map(({ user, count }) => [Number(user), mostOf(Number(user)) - count + (wanted.get(Number(user)) ?? 0)]),
  )
  const unused = new Map<number, number>()
  const reached = users.map((user) => {
    const both = [...new Set([COMPANY, user])]
    const full = both.find((each) => (room.get(each) ?? 0) <= 0)
    const changed = full === undefined ? room : unused
    const step = full === undefined ? -1 : 1
    for (const each of both) changed.set(each, (changed.get(each) ?? 0) + step)
    if (full === undefined) return undefined
    return full === COMPANY ? 'company' : 'user'
  })
  // What is not begun counts for nobody.
  if (unused.size > 0) db.send(GIVE_BACK, { day, kind, who: [...unused.keys()], less: [...unused.values()] })
  return reached
}

/** How many a day are allowed, of the company and of a person; one that is not set is without a limit. */
function limitsOf(settings: Limits, kind: Kind): (user: number) => number {
  const [ofAll, ofOne] =
    kind === 'call'
      ? [settings.callsADay, settings.callsADayOfUser]
      : [settings.messagesADay, settings.messagesADayOfUser]
  return (user) => {
    const most = user === COMPANY ? ofAll : ofOne
    return most > 0 ? most : ENDLESS
  }
}

function tooMany(kind: Kind, reached: Reached): Refusal {
  if (kind === 'call') {
    return reached === 'company'
      ? new Refusal('too-many', 'calls-of-day-reached')
      : new Refusal('too-many', 'own-calls-of-day-reached')
  }
  return reached === 'company'
    ? new Refusal('too-many', 'messages-of-day-reached')
    : new Refusal('too-many', 'own-messages-of-day-reached')
}
