// Tickets are found by words of theirs and of their calls, as far as the person who asks may read them.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '../../../src/database/drizzle.ts'
import { GROUP } from '../../../src/platform/access/identity.ts'
import { whileStuck } from '../../fixtures/database-trouble.ts'
import { aSid } from '../../fixtures/records.ts'
import { insertRow } from '../../support/rows.ts'
import { type Caller, TestApp } from '../../support/test-app.ts'

interface Found {
  ids: number[]
  is_whole: boolean
}

let app: TestApp
let hugo: Caller
let both: Caller
const tickets = {} as Record<string, number>

beforeAll(async () => {
  app = await TestApp.start()
  hugo = await app.person([GROUP.internal, GROUP.helpdeskUser])
  both = await app.person([GROUP.internal, GROUP.connectUser, GROUP.helpdeskUser])
  const make = (vals: object) => app.admin.ask<number>('helpdesk.ticket', 'create', { vals_list: vals })
  tickets.subject = await make({ name: 'Wasserschaden im Keller' })
  tickets.description = await make({ name: 'A', description: 'The Ölheizung makes a noise' })
  tickets.contact = await make({ name: 'B', partner_name: 'Łukasz Nowak' })
  tickets.note = await make({ name: 'C' })
  await app.admin.ask('helpdesk.ticket', 'message_post', { ids: [tickets.note], body: 'Asked for a spare flange' })
  tickets.summary = await make({ name: 'D' })
  tickets.transcript = await make({ name: 'E' })
  const call = (values: object) => insertRow(app.db, 'connect_call', { caller: '+41310000000', ...values })
  await call({ ticket: tickets.summary, voiceai_summary: 'The caller wants a rebate on the invoice.' })
  const spoken = await call({ ticket: tickets.transcript })
  await insertRow(app.db, 'connect_recording', {
    ...{ sid: aSid('RE'), call: spoken, transcript: 'My chimney is full of starlings.' },
  })
  // Words of calls that are of no ticket lead nowhere.
  const other = await call({ voiceai_summary: 'Nothing but a hedgehog' })
  await insertRow(app.db, 'connect_recording', { sid: aSid('RE'), call: other, transcript: 'A hedgehog sits here.' })
})
afterAll(() => app.stop())

const find = (who: Caller, text: string) => who.ask<Found>('helpdesk.ticket', 'find', { text })

it.each([
  ['subject', 'wasserschaden'],
  ['subject', 'keller WASSER'],
  ['description', 'olheizung'],
  ['contact', 'lukasz'],
  ['note', 'flange'],
  ['summary', 'rebate invoice'],
  ['transcript', 'starlings'],
])('a ticket is found by words of its %s: %s', async (where, text) => {
  for (const who of [hugo, both]) {
    // On a busy machine a look may take too long to go on.
    await expect.poll(() => find(who, text)).toEqual({ ids: [tickets[where]], is_whole: true })
  }
})

it('a ticket is found by its number, and by the number of its contact or of who called, in any form', async () => {
  const number = await app.admin.ask<number>('helpdesk.ticket', 'create', {
    vals_list: { name: 'F', partner_phone: '+41 44 668 18 00' },
  })
  for (const who of [hugo, both]) {
    for (const text of ['+41446681800', '0041 44 668 18 00', '+41 (0)44 668 18 00']) {
      expect(await find(who, text)).toEqual({ ids: [number], is_whole: true })
    }
    expect((await find(who, '+41 31 000 00 00')).ids).toEqual([tickets.transcript, tickets.summary])
    expect((await find(who, `#${tickets.note}`)).ids).toEqual([tickets.note])
    expect((await find(who, String(tickets.note))).ids).toContain(tickets.note)
  }
  expect(await find(both, '#2147483648')).toEqual({ ids: [], is_whole: true })
})

it('words that stand in no text of a ticket find nothing', async () => {
  for (const text of ['hedgehog', 'flange starlings', 'Ofen']) {
    await expect.poll(() => find(both, text)).toEqual({ ids: [], is_whole: true })
  }
})

it('signs of a pattern stand for themselves, and blanks are no words', async () => {
  expect((await find(hugo, '100%_')).ids).toEqual([])
  expect((await hugo.call('helpdesk.ticket', 'find', { text: '   ' })).status).toBe(422)
  expect((await hugo.call('helpdesk.ticket', 'find', { text: 'x'.repeat(101) })).status).toBe(422)
})

it('where one place cannot be looked into in time, the tickets of the others are found', async ({ skip }) => {
  skip(app.db.kind === 'embedded', 'the embedded engine cannot stop a statement')
  await whileStuck(app, ['connect_recording'], async () => {
    expect(await find(hugo, 'flange')).toEqual({ ids: [tickets.note], is_whole: false })
  })
})

it('tickets are found by people of the helpdesk alone', async () => {
  const eve = await app.person([GROUP.internal, GROUP.connectUser])
  expect((await eve.call('helpdesk.ticket', 'find', { text: 'keller' })).status).toBe(403)
})

it('the newest are found where there are too many, and it is said that there are more', async () => {
  await app.db.query(
    sql`insert into helpdesk_ticket (name, active) select 'Serial number ' || i, true from generate_series(1, 501) i`,
  )
  const found = await find(hugo, 'serial')
  expect(found.ids).toHaveLength(500)
  expect(found.is_whole).toBe(false)
  expect(found.ids[0]).toBe(Math.max(...found.ids))
})
