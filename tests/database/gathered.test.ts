import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { explainMatch, findContactById } from '../../src/contacts/find-by-number.ts'
import type { Database } from '../../src/database/database.ts'
import { sql } from '../../src/database/drizzle.ts'
import { gathered, sharingLookUps } from '../../src/database/gathered.ts'
import { param, statement } from '../../src/database/statement.ts'
import { searchTickets } from '../../src/helpdesk/tickets/read-tickets.ts'
import { findCallById, findCallByLeg } from '../../src/ledger/calls/find-call.ts'
import { aCall, aPartner } from '../fixtures/records.ts'
import { recordStatements } from '../support/plans.ts'
import { TestApp } from '../support/test-app.ts'

const CONTACTS = 12

/** A look-up that answers with its key when it is let go, and remembers which keys each statement had. */
function aLookUp() {
  const asked: number[][] = []
  const held: (() => void)[] = []
  const find = gathered(async (_db, keys: readonly number[]) => {
    asked.push([...keys])
    await new Promise<void>((resolve) => held.push(resolve))
    if (keys.includes(13)) throw new Error('13 fails')
    return keys
  })
  const letGo = async (): Promise<void> => {
    await expect.poll(() => held.length).toBeGreaterThan(0)
    held.shift()?.()
  }
  return { asked, find, letGo }
}

const embedded = {
  kind: 'embedded',
  transaction: () => Promise.reject(new Error('there is none')),
} as unknown as Database

describe('look-ups at the same time', () => {
  it('look-ups that come while one is on its way are answered by the next, which begins after they came', async () => {
    const { asked, find, letGo } = aLookUp()
    const first = find(embedded, 1)
    await expect.poll(() => asked.length).toBe(1)
    const others = [2, 3, 2].map((key) => find(embedded, key))
    expect(asked).toEqual([[1]])
    await letGo()
    await letGo()
    expect(await Promise.all([first, ...others])).toEqual([1, 2, 3, 2])
    expect(asked).toEqual([[1], [2, 3, 2]])
  })

  it('one that fails harms none of those it came with', async () => {
    const { asked, find, letGo } = aLookUp()
    const ended = Promise.allSettled([1, 13, 2].map((key) => find(embedded, key)))
    for (let statement = 0; statement < 5; statement += 1) await letGo()
    expect((await ended).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(asked).toEqual([[1, 13, 2], [1, 13], [1], [13], [2]])
  })

  it('a look-up inside of a transaction is shared with nobody', async () => {
    const { asked, find, letGo } = aLookUp()
    const { transaction: _transaction, ...inside } = embedded
    const both = [find(inside, 1), find(inside, 2)]
    await letGo()
    await letGo()
    expect(await Promise.all(both)).toEqual([1, 2])
    expect(asked).toEqual([[1], [2]])
  })
})

describe('look-ups for many inside of one transaction', () => {
  const { transaction: _transaction, ...inside } = embedded

  it('share statements, with nobody outside of it and with no other transaction', async () => {
    const { asked, find, letGo } = aLookUp()
    const [one, other] = [sharingLookUps(inside), sharingLookUps(inside)]
    const found = [find(one, 1), find(one, 2), find(other, 3), find(inside, 4), find(embedded, 5)]
    for (let statement = 0; statement < 4; statement += 1) await letGo()
    expect(await Promise.all(found)).toEqual([1, 2, 3, 4, 5])
    expect(asked.toSorted()).toEqual([[1, 2], [3], [4], [5]])
  })

  it('all fail with the one that fails, and nothing more is asked of a transaction that is no good any more', async () => {
    const { asked, find, letGo } = aLookUp()
    const shared = sharingLookUps(inside)
    const ended = Promise.allSettled([1, 13, 2].map((key) => find(shared, key)))
    await letGo()
    expect(await ended).toEqual(Array(3).fill({ status: 'rejected', reason: new Error('13 fails') }))
    expect(asked).toEqual([[1, 13, 2]])
  })
})

describe('what tools look up at the same time', () => {
  let app: TestApp
  const contacts: number[] = []
  const calls: number[] = []

  beforeAll(async () => {
    app = await TestApp.start()
    for (let at = 0; at < CONTACTS; at += 1) {
      const partner = await aPartner(app, { name: `Contact ${at}`, phone: `+155501000${10 + at}` })
      contacts.push(partner)
      calls.push(await aCall(app, { sid: `CA-${at}`, partner }))
      for (let ticket = 0; ticket <= at; ticket += 1) {
        await app.admin.ask('helpdesk.ticket', 'create', {
          vals_list: { name: `${at}.${ticket}`, partner_id: partner },
        })
      }
    }
  })
  afterAll(() => app.stop())

  it('what is looked up reaches the statement as it is, whatever is in it', async () => {
    const texts = ['', 'NULL', 'null', 'a"b', "it's", 'c\\d', '{x,y}', ' {', 'é😀', 'a\nb', ',', '\\', '"']
    const given = statement<{ text: string | null }, { texts: readonly (string | null)[] }>(
      'given_texts',
      sql`select t as text from unnest(${param('texts')}::text[]) with ordinality as given (t, at) order by at`,
    )
    const rows = await app.db.run(given, { texts: [...texts, null] })
    expect(rows.map(({ text }) => text)).toEqual([...texts, null])
  })

  it('each gets what is theirs, as if each asked alone, in fewer statements', async () => {
    const { db } = app
    const ask = (at: number) =>
      Promise.all([
        searchTickets(db, { partnerId: contacts[at] ?? 0, onlyOpen: at % 2 === 0 }),
        findContactById(db, contacts[at] ?? 0),
        findCallById(db, calls[at] ?? 0),
        findCallByLeg(db, `CA-${at}`),
        explainMatch(db, `+155501000${10 + at}`),
      ])
    const places = [...contacts.keys(), CONTACTS]
    const alone: unknown[] = []
    for (const at of places) alone.push(await ask(at))
    expect(alone[11]).toMatchObject([
      { length: 10, 0: { ticket_name: '11.11' } },
      { id: contacts[11], name: 'Contact 11' },
      { id: calls[11], channel_sid: 'CA-11' },
      { id: calls[11] },
      { rule: 'only_one' },
    ])
    expect(alone[CONTACTS]).toMatchObject([[], undefined, undefined, undefined, { rule: 'nobody', candidates: [] }])
    const together: unknown[] = []
    const ran = await recordStatements(db, async () => {
      together.push(...(await Promise.all(places.map(ask))))
    })
    expect(together).toEqual(alone)
    expect(ran.length).toBeLessThan(places.length * 5)
  })
})
