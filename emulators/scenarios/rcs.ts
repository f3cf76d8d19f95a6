import { one, theOnly } from './expectation.ts'
import type { Scenario } from './scenario.ts'

const NUMBER = '+14155550126'
const AGENT = 'acme_agent'
const CUSTOMER = '+14155550226'

export const rcs: Scenario = {
  name: 'rcs',
  title: 'Somebody writes by SMS and on RCS, and each is answered the way it came',
  company: { numbers: [{ number: NUMBER }] },
  async play({ telco, clock, service }) {
    const known = telco.account.senders.findWhere('sender_id', `rcs:${AGENT}`)
    if (known === undefined) telco.addRcsSender(AGENT, NUMBER)
    telco.reactToTexts(`rcs:${CUSTOMER}`, 'read')
    await telco.text({ from: `rcs:${CUSTOMER}`, to: `rcs:${AGENT}`, body: 'Is my bike ready?' })
    await telco.text({ from: CUSTOMER, to: NUMBER, body: 'It is the blue one.' })
    await clock.during(async () => {
      await service.ask('connect.message', 'send', { to: CUSTOMER, from: `rcs:${AGENT}`, body: 'It is ready.' })
      await service.ask('connect.message', 'send', { to: CUSTOMER, from: NUMBER, body: 'The blue one, yes.' })
    })
  },
  expects: [
    one('connect.message', { body: 'Is my bike ready?' }, { from_number: CUSTOMER, to_number: `rcs:${AGENT}` }),
    one('connect.message', { body: 'It is the blue one.' }, { from_number: CUSTOMER, to_number: NUMBER }),
    one(
      'connect.message',
      { body: 'It is ready.' },
      { from_number: `rcs:${AGENT}`, to_number: CUSTOMER, status: 'read' },
    ),
    one('connect.message', { body: 'The blue one, yes.' }, { from_number: NUMBER, status: 'delivered' }),
    theOnly('res.partner', { phone: CUSTOMER }, { name: CUSTOMER }),
  ],
}
