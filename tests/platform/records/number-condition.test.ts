// Anyone who filters by a number finds it, whichever way they and the record write it.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { aCall, aPartner, setCountry } from '../../fixtures/records.ts'
import { TestApp } from '../../support/test-app.ts'

const OURS = '+41445550100'

let app: TestApp
let [contact, call] = [0, 0]

beforeAll(async () => {
  app = await TestApp.start()
  await setCountry(app, 'CH')
  contact = await aPartner(app, { name: 'Zoe', phone: '079 555 01 75' })
  call = await aCall(app, { caller: '+41795550175', called: OURS })
  await aPartner(app, { name: 'Max', phone: '079 555 01 76' })
  await aCall(app, { caller: '+5511955501750', called: OURS })
})
afterAll(() => app.stop())

const found = (model: string, domain: unknown[]) => app.admin.ask<number[]>(model, 'search', { domain })

it.each([
  '+41795550175',
  '079 555 01 75',
  '0041 79 555 01 75',
  'Tel. 079 555 01 75',
  '(+41) 79 555 01 75',
  '+41 79 555 01 75 (mobile)',
  '+41 79 555 01 75 ext. 5',
  '\u202a+41 79 555 01 75\u202c',
])('a filter by %s finds the contact and the call', async (number) => {
  for (const operator of ['=', 'in', 'like', 'ilike']) {
    const value = operator === 'in' ? [number] : number
    expect([operator, await found('res.partner', [['phone', operator, value]])]).toEqual([operator, [contact]])
    expect([operator, await found('connect.call', [['caller', operator, value]])]).toEqual([operator, [call]])
  }
  expect(await found('connect.call', [['partner.phone', '=', number]])).toEqual([])
  expect(await found('connect.call', [['caller', '!=', number]])).not.toContain(call)
  expect(await found('connect.call', [['caller', 'not in', [number]]])).not.toContain(call)
})

it('a part of a number is found with what people write between its digits, and one subscriber in both forms', async () => {
  expect(await found('connect.call', [['caller', 'ilike', '555 01 75']])).toContain(call)
  expect(await found('res.partner', [['phone', 'ilike', '5550175']])).toEqual([contact])
  expect(await found('connect.call', [['caller', '=', '+551155501750']])).toEqual([])
  expect(await found('connect.call', [['caller', '=', '+551195550175']])).toEqual([])
  expect(await found('connect.call', [['caller', '=', 'nobody']])).toEqual([])
})

it('a wide percent sign or low line stands for itself in a search', async () => {
  const named = await aPartner(app, { name: '100% Bio_Hof' })
  const others = await aPartner(app, { name: '100 Bio Hof' })
  for (const text of ['100\uff05 bio', 'bio\uff3fhof', '\uff05 Bio\ufe4dHof']) {
    expect([text, await found('res.partner', [['name', 'ilike', text]])]).toEqual([text, [named]])
  }
  expect(await found('res.partner', [['name', '=ilike', '100 b%']])).toEqual([others])
  expect(await found('res.partner', [['name', '=ilike', '100 b\uff05']])).toEqual([])
})
