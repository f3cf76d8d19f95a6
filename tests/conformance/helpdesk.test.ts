import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TestApp } from '../support/test-app.ts'

let app: TestApp
let callId: number
let partnerId: number

beforeAll(async () => {
  app = await TestApp.start()
  partnerId = await app.admin.ask<number>('res.partner', 'create', {
    vals_list: { name: 'Zoe', phone: '+41 31 380 83 16', email: 'zoe@example.com' },
  })
  callId = await app.admin.ask<number>('connect.call', 'create', {
    vals_list: {
      caller: '+41313808316',
      called: '+41310000000',
      direction: 'incoming',
      status: 'in-progress',
      partner: partnerId,
    },
  })
})
afterAll(() => app.stop())

describe('4.3 create_ticket', () => {
  it('creates a ticket with the contact of the call and links it to the call', async () => {
    const answer = await app.tool('/connect_voiceai_helpdesk/create_ticket', { subject: 'Broken', call_id: callId })
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ ticket_name: 'Broken', message: 'Ticket created successfully' })
    const { ticket_id: id, ticket_number: number } = answer.body as { ticket_id: number; ticket_number: number }
    expect(number).toBe(id)
    const [ticket] = await app.admin.ask<object[]>('helpdesk.ticket', 'read', { ids: [id] })
    expect(ticket).toMatchObject({
      partner_id: [partnerId, 'Zoe'],
      partner_email: 'zoe@example.com',
      partner_phone: '+41 31 380 83 16',
      connect_calls: [callId],
      stage_id: [expect.any(Number), 'Inbox'],
    })
  })
})
