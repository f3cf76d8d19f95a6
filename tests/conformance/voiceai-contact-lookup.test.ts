import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aConversationId, aFailure, anAudio, aTranscript, deliver, useSecret } from '../fixtures/post-call.ts'
import { aCall, aPartner, aSid, setCountry } from '../fixtures/records.ts'
import { INITIATION } from '../fixtures/routes.ts'
import { expectNoScans, recordStatements } from '../support/plans.ts'
import { TestApp } from '../support/test-app.ts'

const MANY = 5_000
/** Tables that grow with the business: no request may read through one of them. */
const GROWING = ['res_partner', 'connect_call', 'connect_channel', 'connect_recording', 'helpdesk_ticket']

let app: TestApp

beforeAll(async () => {
  app = await TestApp.start()
  await setCountry(app, 'CH')
})
afterAll(() => app.stop())

async function partnerIdOf(callerId: string): Promise<string> {
  const answer = await app.tool(INITIATION, { caller_id: callerId })
  return (answer.body as { dynamic_variables: { partner_id: string } }).dynamic_variables.partner_id
}

describe('a contact is found by its number in any written form', () => {
  it.each([
    '+41313808316',
    '0313808316',
    '031 380 83 16',
    '+41 31 380 83 16',
    '+41 (0)31 380 83 16',
    '+41-31-380-83-16',
    '+41.31.380.83.16',
    '0041313808316',
    '00 41 31 380 83 16',
    '41313808316',
    ' +41313808316 ',
    'sip:+41313808316@sip.example.com',
    'sip:0313808316@10.0.0.1:5060;transport=tcp',
    'sips:41313808316@example.com?x=y',
    '"Zoe" <sip:+41313808316@example.com>;tag=1',
    'whatsapp:+41313808316',
    'whatsapp:41313808316',
    'tel:+41-31-380-83-16',
    'client:+41313808316',
    '%2B41313808316',
  ])("a contact is found by any written form of the caller's number: %o", async (written) => {
    const number = '+41313808316'
    const [known] = await app.admin.ask<number[]>('res.partner', 'search', { domain: [['phone', '=', number]] })
    const partner = known ?? (await aPartner(app, { phone: number }))
    expect(await partnerIdOf(written)).toBe(String(partner))
  })

  it.each([
    ['079 500 09 92', '+41795000992'],
    ['0041 79 500 09 93', '+41795000993'],
    ['+41 (0)79 500 09 94', '+41795000994'],
    ['41795000995', '+41795000995'],
    ['tel:079-500-09-96', '+41795000996'],
  ])('a contact is found by any written form of its own number: %o', async (written, number) => {
    const byPhone = await aPartner(app, { phone: written })
    expect(await partnerIdOf(number)).toBe(String(byPhone))
    await app.admin.ask('res.partner', 'unlink', { ids: [byPhone] })
    const byMobile = await aPartner(app, { mobile: written })
    expect(await partnerIdOf(number)).toBe(String(byMobile))
  })

  it('national numbers are those of settings.country_id, unless the contact has a country of its own', async () => {
    const germany = await app.admin.ask<number[]>('res.country', 'search', { domain: [['code', '=', 'DE']] })
    const german = await aPartner(app, { phone: '030 12345678', country_id: germany[0] })
    expect(await partnerIdOf('+493012345678')).toBe(String(german))
    expect(await partnerIdOf('030 12345678')).toBe('')
    await setCountry(app, 'DE')
    expect(await partnerIdOf('030 12345678')).toBe(String(german))
    await setCountry(app, null)
    expect(await partnerIdOf('030 12345678')).toBe('')
    expect(await partnerIdOf('+493012345678')).toBe(String(german))
    await setCountry(app, 'CH')
  })

  it('numbers that are possible count, also those that nobody is given', async () => {
    const partner = await aPartner(app, { phone: '+1 555 010 0001' })
    for (const written of ['+15550100001', '15550100001', '0015550100001'])
      expect(await partnerIdOf(written)).toBe(String(partner))
  })

  it.each([
    '',
    'anonymous',
    'Restricted',
    '+',
    '0',
    '101',
    '+41',
    'sip:zoe@example.com',
    'client:zoe',
    '+266696687',
    '7378742833x',
    '-1',
  ])('what is no phone number finds nobody: %o', async (written) => {
    expect(await partnerIdOf(written)).toBe('')
  })

  it('a changed number is found, the old one no longer; archived contacts are not found', async () => {
    const partner = await aPartner(app, { phone: '+41 44 100 00 01' })
    await app.admin.ask('res.partner', 'write', { ids: [partner], vals: { phone: '044 100 00 02' } })
    expect(await partnerIdOf('+41441000001')).toBe('')
    expect(await partnerIdOf('+41441000002')).toBe(String(partner))
    await app.admin.ask('res.partner', 'write', { ids: [partner], vals: { active: false } })
    expect(await partnerIdOf('+41441000002')).toBe('')
  })
})

describe('several contacts with one number', () => {
  let last = 41_445_000_000

  /** Contacts with one number, each with the place of its company in the list; answers their ids. */
  async function contacts(...companies: (number | undefined)[]): Promise<{ number: string; ids: number[] }> {
    last += 1
    const number = `+${last}`
    const ids: number[] = []
    for (const at of companies) {
      ids.push(await aPartner(app, { phone: number, parent_id: at === undefined ? null : ids[at] }))
    }
    return { number, ids }
  }

  it('none of a company: the oldest', async () => {
    const { number, ids } = await contacts(undefined, undefined, undefined)
    expect(await partnerIdOf(number)).toBe(String(ids[0]))
  })

  it('a company and its only person with it: the person', async () => {
    const { number, ids } = await contacts(undefined, 0)
    expect(await partnerIdOf(number)).toBe(String(ids[1]))
  })

  it('a company and several of its people: the company', async () => {
    const { number, ids } = await contacts(undefined, 0, 0)
    expect(await partnerIdOf(number)).toBe(String(ids[0]))
  })

  it('several people of a company that has another number: the company', async () => {
    const company = await aPartner(app, { name: 'Company', phone: '+41440000077' })
    const number = '+41440000078'
    for (const name of ['One', 'Two']) await aPartner(app, { name, phone: number, parent_id: company })
    expect(await partnerIdOf(number)).toBe(String(company))
  })

  it('people of several companies: nobody', async () => {
    const { number, ids } = await contacts(undefined, undefined)
    const people = [
      await aPartner(app, { mobile: number, parent_id: ids[0] }),
      await aPartner(app, { mobile: number, parent_id: ids[1] }),
    ]
    expect(people).toHaveLength(2)
    expect(await partnerIdOf(number)).toBe('')
  })

  it('one contact with the number twice is one contact', async () => {
    const partner = await aPartner(app, { phone: '+41445999999', mobile: '044 599 99 99' })
    expect(await partnerIdOf('+41445999999')).toBe(String(partner))
  })
})

describe('a lookup reads through no table', () => {
  beforeAll(async () => {
    await app.db.script(`
      insert into res_partner (name, active, phone, phone_normalized, mobile_normalized)
        select 'Contact ' || n, true, '+4144' || (1000000 + n), '+4144' || (1000000 + n), '+4179' || (1000000 + n)
        from generate_series(1, ${MANY}) n;
      insert into connect_call (caller, called, direction, status, voiceai_conversation_id, voiceai_summary)
        select '+4144' || (1000000 + n), '+41310000000', 'incoming', 'completed', 'many_' || n, 'Summary'
        from generate_series(1, ${MANY}) n;
      insert into connect_channel (sid, call, status) select 'CA_many_' || id, id, 'completed' from connect_call;
      insert into connect_recording (sid, call, status) select 'many_' || id, id, 'completed' from connect_call;
      insert into helpdesk_ticket (name, partner_id) select 'Ticket', id from res_partner;
      analyze;
    `)
  })

  it('no lookup of conversation_initiation reads through a table', async () => {
    const sid = aSid()
    await aCall(app, { sid, caller: '+41441000007', called: '+41310000000' })
    const statements = await recordStatements(app.db, () =>
      app.tool(INITIATION, {
        caller_id: '044 100 00 07',
        called_number: '+41310000000',
        call_sid: sid,
        agent_id: 'agent',
      }),
    )
    expect(statements.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['calls_by_leg', 'contacts_by_numbers', 'initiation_previous', 'initiation_tag_calls']),
    )
    await expectNoScans(app.db, statements, GROWING)
  })

  it('no lookup of the helpdesk and calendar tools reads through a table', async () => {
    const [partner] = await app.admin.ask<number[]>('res.partner', 'search', {
      domain: [['phone', '=', '+41441000009']],
    })
    const statements = await recordStatements(app.db, async () => {
      await app.tool('/connect_voiceai_helpdesk/search_tickets', { partner_id: partner, only_open: true })
      await app.tool('/connect_voiceai_helpdesk/fetch_ticket', { ticket_id: 7 })
      await app.tool('/connect_voiceai/get_meetings', { partner_id: partner })
    })
    expect(statements.length).toBeGreaterThanOrEqual(4)
    await expectNoScans(app.db, statements, GROWING)
  })

  it('no lookup of the tools that write reads through a table', async () => {
    await useSecret(app)
    const [partner] = await app.admin.ask<number[]>('res.partner', 'search', {
      domain: [['phone', '=', '+41441000009']],
    })
    const [call, stranger] = [await aCall(app, { partner }), await aCall(app)]
    const statements = await recordStatements(app.db, async () => {
      await app.tool('/connect_voiceai_helpdesk/create_ticket', { call_id: call, team_name: 'care' })
      await app.tool('/connect_voiceai_helpdesk/update_ticket', { ticket_id: 9, stage_name: 'closed' })
      await app.tool('/connect_voiceai_helpdesk/ticket_activity', { ticket_id: 9, note: 'x' })
      await app.tool('/connect_voiceai/create_partner', { call_id: stranger, name: 'New' })
      await deliver(app, aTranscript())
      await deliver(app, aFailure(aConversationId()))
      await deliver(app, anAudio(aConversationId(), Buffer.from('ID3')))
    })
    expect(statements.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'helpdesk_tickets_create',
        'conversations_known',
        'recordings_of_conversations_save',
        'inbox_claim',
      ]),
    )
    await expectNoScans(app.db, statements, GROWING)
  })
})
