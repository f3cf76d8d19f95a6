import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { only, SyncOffice } from './sync-office.ts'

const NUMBER = '+14155550101'

let office: SyncOffice

beforeAll(async () => {
  office = await SyncOffice.start()
  await office.setUp()
  office.telco.addNumber({ phoneNumber: NUMBER })
  office.telco.addWhatsAppSender(NUMBER)
  office.telco.account.callerIds.add({ sid: 'PN9', friendly_name: 'Branch', phone_number: '+14155550901' })
  await office.domain()
  await office.phone('alice')
  await office.run()
})
afterAll(() => office.stop())
beforeEach(async () => {
  await office.settle()
  office.line.reset()
})

const check = () => office.run('connect.settings', 'telco_check')

test('a check of an account that is in sync finds nothing, and only reads', async () => {
  const run = await check()
  expect(run).toMatchObject({ state: 'done', differences: [], counts: { check: { differences: 0 } } })
  expect(office.line.changes()).toEqual([])
})

test('everything that the provider holds in another way is named, with what to do, and nothing is changed', async () => {
  const { account } = office.telco
  const before = office.line.changes().length
  const [application] = account.applications.list()
  if (application) account.applications.remove(application.sid)
  account.domains.change(only(account.domains.list()), { voice_url: 'https://demo.example.com/' })
  account.credentials.remove(only(account.credentials.list()).sid)
  account.numbers.change(only(account.numbers.list()), { sms_url: 'https://demo.example.com/' })
  account.callerIds.change(only(account.callerIds.list()), { friendly_name: 'Old branch' })
  account.senders.change(only(account.senders.list()), { status: 'OFFLINE' })
  office.telco.addNumber({ phoneNumber: '+14155550102' })
  account.callerIds.add({ sid: 'PN8', friendly_name: 'New', phone_number: '+14155550902' })
  const run = await check()
  expect(run.summary).toBe('Differs from Twilio in 8 places.')
  expect(run.differences.map(({ what, message }) => [what, message])).toEqual([
    ['connect.telco.markup', 'Twilio does not have it. Sync now.'],
    ['connect.telco.domain', 'Twilio has another address for its calls. Sync now.'],
    ['connect.user', 'Twilio does not have it. Sync now.'],
    ['connect.telco.number', 'Twilio has another address for its messages. Sync now.'],
    ['connect.telco.number', 'Twilio has it, but Connect does not know it. Sync now.'],
    ['connect.telco.outgoing_callerid', 'Twilio calls it "Old branch". Sync now.'],
    ['connect.telco.outgoing_callerid', 'Twilio has it, but Connect does not know it. Sync now.'],
    ['connect.whatsapp_sender', 'It is OFFLINE at Twilio, and ONLINE here. Sync now.'],
  ])
  expect(office.line.changes()).toHaveLength(before)
})

test('a SYNC brings it back into sync, but for a password that is not known here any more', async () => {
  const { id } = await office.one('connect.user', [])
  await office.write('connect.user', id, { password: 'Bcdefghi2345' })
  expect((await office.run()).errors).toEqual([])
  expect((await check()).differences).toEqual([])
})

test('the check runs every night, and not while nothing is set up', async () => {
  const { rows } = await office.app.db.transaction((tx) =>
    tx.execute(`select cron from jobs.schedule where name = 'telco-check'`, []),
  )
  expect(rows).toEqual([{ cron: '13 5 * * *' }])
})
