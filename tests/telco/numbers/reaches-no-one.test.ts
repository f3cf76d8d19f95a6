// Whose callers reach no one: a person without a phone, or a group of such people, with nothing that stands in.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Office } from '../../support/telco-office.ts'

const NUMBER = 'connect.telco.number'
const FLOW = 'connect.telco.callflow'

let office: Office
let [silent, rings] = [0, 0]
let count = 0

beforeAll(async () => {
  office = await Office.start()
  const { userId: user } = await office.app.person(['connect.group_user'], { name: 'Paul Quiet' })
  silent = await office.create('connect.user', { user, client_enabled: false })
  rings = (await office.user('rita', '101', { mobile_enabled: true, mobile_number: '+14155550155' })).id
})
afterAll(() => office.stop())

async function reachesNoOne(values: object): Promise<boolean> {
  count += 1
  const id = await office.number(`+1415555${4_000 + count}`, { ...values })
  const [row] = await office.list(NUMBER, [['id', '=', id]], ['reaches_no_one'])
  const domain = [
    ['id', '=', id],
    ['reaches_no_one', '=', true],
  ]
  expect(await office.list(NUMBER, domain, ['id'])).toHaveLength(row?.reaches_no_one === true ? 1 : 0)
  return row?.reaches_no_one === true
}

it('a person of whom no phone rings reaches no one, unless another one rings instead', async () => {
  expect(await reachesNoOne({ destination: 'user', user: silent })).toBe(true)
  expect(await reachesNoOne({ destination: 'user', user: rings })).toBe(false)
  const [exten] = await office.list('connect.telco.exten', [['number', '=', '101']], ['id'])
  expect(await reachesNoOne({ destination: 'user', user: silent, fallback_exten: exten?.id })).toBe(false)
  expect(await reachesNoOne({})).toBe(false)
})

it.each([
  ['a group of such people reaches no one', {}, true],
  ['a group that rings another one too reaches that one', { isRung: true }, false],
  ['a group that takes messages takes one', { voicemail_enabled: true }, false],
  ['a group that asks for keys first lets callers choose', { gather_input: true, prompt_message: 'Press 1.' }, false],
  ['a group that says a sentence instead says it', { fallback_message: 'Call later.' }, false],
])('%s', async (_what, { isRung, ...values }: { isRung?: boolean; [name: string]: unknown }, isVain: boolean) => {
  const flow = await office.flow({ ring_users: isRung === true ? [silent, rings] : [silent], ...values })
  expect(await reachesNoOne({ destination: 'callflow', callflow: flow })).toBe(isVain)
  const [row] = await office.list(FLOW, [['id', '=', flow]], ['rings_no_one'])
  expect(row?.rings_no_one).toBe(isRung !== true)
})
