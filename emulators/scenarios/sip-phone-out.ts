import { answers, hangUp, hear, say } from '../people.ts'
import { SIP_DOMAIN } from './company.ts'
import { one } from './expectation.ts'
import type { Scenario } from './scenario.ts'

const NUMBER = '+14155550120'
const CUSTOMER = '+14155550220'
const GUS = { name: 'Gus Hill', username: 'gus', phones: ['sip'] } as const

export const sipPhoneOut: Scenario = {
  name: 'sip-phone-out',
  title: 'A person dials a customer on the SIP phone, and the conversation is recorded',
  company: {
    contacts: [{ name: 'Will Young', phone: CUSTOMER }],
    people: [GUS],
    numbers: [{ number: NUMBER }],
  },
  async play({ telco, phone }) {
    phone(CUSTOMER, answers([say('Will Young.'), hear('invoice'), say('I will pay it.'), hangUp()]))
    const acts = [hear('will young'), say('It is about the invoice.'), hear('pay it')]
    await telco.callFromSipPhone({ user: GUS.username, domain: SIP_DOMAIN, dialled: CUSTOMER, acts })
  },
  expects: [
    one(
      'connect.call',
      { called: CUSTOMER },
      { direction: 'outgoing', status: 'completed', caller_user: GUS.name, partner: 'Will Young' },
    ),
    one('connect.recording', { called_number: CUSTOMER }, { status: 'completed', caller_user: GUS.name }),
  ],
}
