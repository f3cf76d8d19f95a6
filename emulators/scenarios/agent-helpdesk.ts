import { hear, say } from '../people.ts'
import { calls, endsCall, hears, says } from '../voiceai/conversation/script.ts'
import { one } from './expectation.ts'
import type { Scenario } from './scenario.ts'

const NUMBER = '+14155550110'
const CALLER = '+14155550210'

export const agentHelpdesk: Scenario = {
  name: 'agent-helpdesk',
  title: 'A caller reaches a voice agent that opens a ticket and books a meeting',
  company: {
    contacts: [{ name: 'Zoe Miller', phone: CALLER, email: 'zoe@example.com', lang: 'fr_FR' }],
    people: [{ name: 'Ann Baker', username: 'ann', phones: ['web'] }],
    agents: [
      {
        name: 'Helpdesk',
        greeting: 'Hello {{greeting}}, this is the helpdesk. How can I help you?',
        prompt: 'You are the helpdesk of a plumbing company. The caller is {{partner_name}}, tier {{customer_tier}}.',
        tools: ['helpdesk_create_ticket', 'calendar_get_available_slots', 'calendar_create_event', 'end_call'],
      },
    ],
    numbers: [{ number: NUMBER, leadsTo: 'Helpdesk' }],
  },
  scripts: ({ userIdOf }) => ({
    Helpdesk: {
      summary: 'The boiler leaks. A ticket was opened and a visit was booked.',
      criteria: { visit_booked: { result: 'success', rationale: 'The caller agreed to a visit and it was booked.' } },
      collected: { problem: { value: 'Leaking boiler', rationale: 'The caller said that the boiler leaks.' } },
      turns: [
        hears('boiler'),
        calls('helpdesk_create_ticket', { subject: 'Leaking boiler', description: 'It leaks since this morning.' }),
        says('I have opened ticket {{helpdesk_create_ticket.ticket_id}}. Shall I book a visit?'),
        hears('yes'),
        calls('calendar_get_available_slots', { user_id: userIdOf('Ann Baker') }),
        calls('calendar_create_event', (heard) => {
          const start = String(heard('calendar_get_available_slots.slots.0.start'))
          return { user_id: userIdOf('Ann Baker'), name: 'Boiler visit', start, stop: halfAnHourAfter(start) }
        }),
        says('{{calendar_create_event.say}}'),
        hears('thank you'),
        endsCall(),
      ],
    },
  }),
  async play({ call }) {
    const acts = [
      hear('hello zoe miller'),
      say('My boiler leaks.'),
      hear('shall i book'),
      say('Yes, please.'),
      hear('booked'),
      say('Thank you!'),
      hear('goodbye'),
    ]
    await call({ from: CALLER, to: NUMBER, acts })
  },
  expects: [
    one(
      'connect.call',
      { caller: CALLER },
      {
        called: NUMBER,
        direction: 'incoming',
        status: 'completed',
        partner: 'Zoe Miller',
        voiceai_agent: 'Helpdesk',
        voiceai_conversation_id: /^conv_/,
        voiceai_summary: /boiler leaks/,
        conversation_result: 'success',
        conversation_language: /./,
        ticket: /Leaking boiler/,
      },
    ),
    one('helpdesk.ticket', { name: 'Leaking boiler' }, { partner_id: 'Zoe Miller', partner_email: 'zoe@example.com' }),
    one('calendar.event', { name: 'Boiler visit' }, { user_id: 'Ann Baker' }),
    one('connect.recording', { caller_number: CALLER }, { voiceai_transcript: /user: My boiler leaks\./ }),
  ],
}

/** `2026-03-02 08:00:00` half an hour later; no zone, because none is said. */
function halfAnHourAfter(start: string): string {
  return Temporal.PlainDateTime.from(start.replace(' ', 'T'))
    .add({ minutes: 30 })
    .toString()
    .replace('T', ' ')
    .padEnd(19, ':00')
}
