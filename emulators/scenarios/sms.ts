import { one, theOnly } from './expectation.ts'
import type { Scenario } from './scenario.ts'

const NUMBER = '+14155550116'
const CUSTOMER = '+14155550216'
const UNREACHABLE = '+14155550217'

export const sms: Scenario = {
  name: 'sms',
  title: 'An SMS comes in from somebody new, is answered, and another one does not arrive',
  company: { numbers: [{ number: NUMBER }] },
  async play({ telco, clock, service }) {
    await telco.text({ from: CUSTOMER, to: NUMBER, body: 'Are you open today?' })
    telco.reactToTexts(UNREACHABLE, 'undelivered')
    await clock.during(async () => {
      await service.ask('connect.message', 'send', { to: CUSTOMER, from: NUMBER, body: 'Yes, until six.' })
      await service.ask('connect.message', 'send', { to: UNREACHABLE, from: NUMBER, body: 'We are closed.' })
    })
  },
  expects: [
    one(
      'connect.message',
      { direction: 'incoming', from_number: CUSTOMER },
      { to_number: NUMBER, body: 'Are you open today?', message_type: 'sms', status: 'received', partner: CUSTOMER },
    ),
    theOnly('res.partner', { phone: CUSTOMER }, { name: CUSTOMER }),
    one('connect.message', { direction: 'outgoing', to_number: CUSTOMER }, { status: 'delivered', has_error: isNo }),
    one('connect.message', { to_number: UNREACHABLE }, { status: 'undelivered', error_code: '30003' }),
  ],
}

function isNo(value: unknown): boolean {
  return value !== true
}
