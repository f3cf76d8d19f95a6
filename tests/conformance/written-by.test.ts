// What somebody sets off beside the record that they write stands under their name too, with its time.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '../../src/database/drizzle.ts'
import { aCall } from '../fixtures/records.ts'
import { insertRow } from '../support/rows.ts'
import { type Caller, TestApp } from '../support/test-app.ts'

let app: TestApp
let anna: Caller
beforeAll(async () => {
  app = await TestApp.start()
  anna = await app.person(['connect.group_admin', 'helpdesk.group_manager'])
})
afterAll(() => app.stop())

const create = (model: string, vals: object) => app.admin.ask<number>(model, 'create', { vals_list: vals })

/** Who wrote the row last, and whether it was changed after it was made. */
async function written(table: string, id: number): Promise<{ by: number | null; is_later: boolean } | undefined> {
  const [row] = await app.db.query<{ by: number | null; is_later: boolean }>(
    sql`select write_uid as by, write_date > create_date as is_later from ${sql.identifier(table)} where id = ${id}::bigint`,
  )
  return row
}

/** Each gives the row that changes beside what is written. */
const BESIDE: Record<string, () => Promise<[table: string, id: number]>> = {
  'the caller ID that is no longer the default': async () => {
    const values = { callerid_type: 'number', is_default: true }
    const first = await create('connect.telco.outgoing_callerid', {
      ...{ number: '+41310005001', friendly_name: 'First', ...values },
    })
    const second = { number: '+41310005002', friendly_name: 'Second', ...values }
    await anna.ask('connect.telco.outgoing_callerid', 'create', { vals_list: second })
    return ['connect_telco_outgoing_callerid', first]
  },
  'the call flow that an extension leads to': async () => {
    const flow = await create('connect.telco.callflow', { name: 'Main', prompt_message: 'Hello.' })
    await anna.ask('connect.telco.exten', 'create', {
      vals_list: { number: '771', dst: `connect.telco.callflow,${flow}` },
    })
    return ['connect_telco_callflow', flow]
  },
  'the ticket that gets another place in its stage': async () => {
    const [above, ticket] = [
      await create('helpdesk.ticket', { name: 'A' }),
      await create('helpdesk.ticket', { name: 'B' }),
    ]
    const [{ stage_id: stage } = { stage_id: [0] }] = await app.admin.ask<{ stage_id: [number] }[]>(
      ...(['helpdesk.ticket', 'read', { ids: [ticket], fields: ['stage_id'] }] as const),
    )
    await anna.ask('helpdesk.ticket', 'move', { ids: [ticket], stage_id: stage[0], after: above })
    return ['helpdesk_ticket', ticket]
  },
  'the call of a contact that becomes another': async () => {
    const [keep, other] = [await create('res.partner', { name: 'Zoe' }), await create('res.partner', { name: 'Zoë' })]
    const call = await aCall(app, { partner: other })
    await anna.ask('res.partner', 'merge', { keep, others: [other] })
    return ['connect_call', call]
  },
  'the recording of a call whose contact is named': async () => {
    const [partner, call] = [await create('res.partner', { name: 'Rea' }), await aCall(app)]
    const recording = await insertRow(app.db, 'connect_recording', { sid: `RE${call}`, call })
    await anna.ask('connect.call', 'write', { ids: [call], vals: { partner } })
    return ['connect_recording', recording]
  },
  'the call whose recording is summed up': async () => {
    const call = await aCall(app)
    const recording = await insertRow(app.db, 'connect_recording', { sid: `RE${call}`, call })
    await anna.ask('connect.recording', 'write', { ids: [recording], vals: { summary: 'The boiler leaks.' } })
    return ['connect_call', call]
  },
}

it.each(Object.keys(BESIDE))('%s is written by who set it off', async (what) => {
  const [table, id] = (await BESIDE[what]?.()) ?? ['', 0]
  expect(await written(table, id)).toEqual({ by: anna.userId, is_later: true })
})

it('the contact of a ticket stands in its history: by hand, by a merge, and when the contact is deleted', async () => {
  const [keep, other] = [await create('res.partner', { name: 'Lea' }), await create('res.partner', { name: 'Lea M.' })]
  const ticket = await create('helpdesk.ticket', { name: 'Broken' })
  await anna.ask('helpdesk.ticket', 'write', { ids: [ticket], vals: { partner_id: other } })
  await anna.ask('res.partner', 'merge', { keep, others: [other] })
  await anna.ask('res.partner', 'unlink', { ids: [keep] })
  const posts = await app.admin.ask<{ changes: object[] | null }[]>('helpdesk.ticket', 'message_list', {
    ids: [ticket],
  })
  expect(posts.map(({ changes }) => changes)).toEqual([
    [{ field: 'partner_id', from: 'Lea', to: null }],
    [{ field: 'partner_id', from: 'Lea M.', to: 'Lea' }],
    [{ field: 'partner_id', from: null, to: 'Lea M.' }],
  ])
})
