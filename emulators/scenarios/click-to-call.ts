import { answers, hangUp, hear, say } from '../people.ts'
import { addressOf } from './company.ts'
import { one } from './expectation.ts'
import type { Scenario } from './scenario.ts'

const NUMBER = '+14155550121'
const CUSTOMER = '+14155550221'
const KIM = { name: 'Kim Lee', username: 'kim', phones: ['web'] } as const

export const clickToCall: Scenario = {
  name: 'click-to-call',
  title: 'A person clicks on a number: the own phone rings first, then the customer',
  company: {
    contacts: [{ name: 'Uma Vance', phone: CUSTOMER }],
    people: [KIM],
    numbers: [{ number: NUMBER }],
  },
  async play({ clock, phone, service, targetOf }) {
    phone(addressOf(KIM, 'web'), answers([hear('uma vance'), say('You called us?'), hear('goodbye')]))
    phone(CUSTOMER, answers([say('Uma Vance.'), hear('you called'), say('Not any more, goodbye.'), hangUp()]))
    await clock.during(async () => {
      await service.ask('connect.user', 'originate', { ids: [targetOf(KIM.name).id], number: CUSTOMER })
    })
  },
  expects: [
    one(
      'connect.call',
      { called: CUSTOMER },
      { direction: 'outgoing', status: 'completed', caller_user: KIM.name, partner: 'Uma Vance' },
    ),
  ],
}
