// An e-mail address is the same one whatever stands around it, where it is stored and where it is looked for.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aPartner } from '../../fixtures/records.ts'
import { TestApp } from '../../support/test-app.ts'

let app: TestApp
let contact = 0

beforeAll(async () => {
  app = await TestApp.start()
  contact = await aPartner(app, { name: 'Zoe', email: 'zoe@example.com' })
  await aPartner(app, { name: 'Max', email: 'max@example.com' })
})
afterAll(() => app.stop())

const WRITTEN = [
  ' zoe@example.com ',
  'Zoe Meier <zoe@example.com>',
  '"Meier, Zoe" <zoe@example.com>',
  'zoe@example.com;',
  'zoe@example.com.',
  'mailto:zoe@example.com?subject=Boiler',
  '(zoe@example.com)',
  "'zoe@example.com'",
  'zoe@example.com (privat)',
  'E-Mail: zoe@example.com',
  'Zoe zoe@example.com',
  '\u200ezoe@example.com',
]

describe('an e-mail address', () => {
  it.each(WRITTEN)('an e-mail address is stored as the address alone: %j', async (email) => {
    const id = await aPartner(app, { name: 'Ann', email })
    const [row] = await app.admin.ask<{ email: string }[]>('res.partner', 'read', { ids: [id], fields: ['email'] })
    expect(row?.email).toBe('zoe@example.com')
    await app.admin.ask('res.partner', 'unlink', { ids: [id] })
  })

  it.each(WRITTEN)('an e-mail address is found by a filter on %j', async (written) => {
    for (const operator of ['=', 'in', 'like', 'ilike']) {
      const domain = [['email', operator, operator === 'in' ? [written] : written]]
      expect([operator, await app.admin.ask('res.partner', 'search', { domain })]).toEqual([operator, [contact]])
    }
    const others = await app.admin.ask<number[]>('res.partner', 'search', { domain: [['email', '!=', written]] })
    expect(others).not.toContain(contact)
  })

  it.each(['zoe@example.com, max@example.com', 'zoe @ example.com', 'zoe at example.com', '"zoe m"@example.com'])(
    'an e-mail address stays as it is written where it is not one: %j',
    async (email) => {
      const id = await aPartner(app, { name: 'Ann', email })
      expect(await app.admin.ask('res.partner', 'read', { ids: [id], fields: ['email'] })).toEqual([{ id, email }])
      expect(await app.admin.ask('res.partner', 'search', { domain: [['email', '=', email]] })).toEqual([id])
    },
  )

  it('an e-mail address of a ticket is found in the same way', async () => {
    const vals = { name: 'Boiler', partner_email: 'Zoe <zoe@example.com>' }
    const id = await app.admin.ask('helpdesk.ticket', 'create', { vals_list: vals })
    const domain = [['partner_email', '=', 'Zoe Meier <zoe@example.com>']]
    expect(await app.admin.ask('helpdesk.ticket', 'search', { domain })).toEqual([id])
  })
})
