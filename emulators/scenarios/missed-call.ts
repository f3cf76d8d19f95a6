import { doesNotAnswer, hangUp, wait } from '../people.ts'
import { addressOf } from './company.ts'
import { one } from './expectation.ts'
import type { Scenario } from './scenario.ts'

const NUMBER = '+14155550114'
const CALLER = '+14155550214'
const EVE = { name: 'Eve Fischer', username: 'eve', phones: ['web'], isToldOfMissedCalls: true } as const

export const missedCall: Scenario = {
  name: 'missed-call',
  title: 'Nobody picks up, the caller gives up, and the person is told of a missed call',
  company: {
    contacts: [{ name: 'Yara Novak', phone: CALLER }],
    people: [EVE],
    numbers: [{ number: NUMBER, leadsTo: EVE.name }],
  },
  async play({ call, phone }) {
    phone(addressOf(EVE, 'web'), doesNotAnswer)
    await call({ from: CALLER, to: NUMBER, acts: [wait(7), hangUp()] })
  },
  expects: [
    one('connect.call', { caller: CALLER }, { direction: 'incoming', partner: 'Yara Novak', answered_user: null }),
    one('mail.message', { model: 'connect.call' }, { body: /missed/i }),
  ],
}
