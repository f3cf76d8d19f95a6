import { answers, doesNotAnswer, hangUp, hear, say } from '../people.ts'
import { addressOf } from './company.ts'
import { one } from './expectation.ts'
import type { Scenario } from './scenario.ts'

const NUMBER = '+14155550115'
const CALLER = '+14155550215'
const FAY = { name: 'Fay Grant', username: 'fay', phones: ['web', 'sip'] } as const

export const phonesInTurn: Scenario = {
  name: 'phones-in-turn',
  title: 'The web phone rings in vain, the SIP phone is picked up, and the call is recorded',
  company: { people: [FAY], numbers: [{ number: NUMBER, leadsTo: FAY.name }] },
  async play({ call, phone }) {
    phone(addressOf(FAY, 'web'), doesNotAnswer)
    phone(addressOf(FAY, 'sip'), answers([say('Fay Grant.'), hear('order'), say('It is on its way.'), hangUp()]))
    const acts = [hear('fay grant'), say('Where is my order?'), hear('on its way')]
    await call({ from: CALLER, to: NUMBER, acts })
  },
  expects: [
    one(
      'connect.call',
      { caller: CALLER },
      {
        direction: 'incoming',
        status: 'completed',
        answered_user: FAY.name,
        duration: (seconds: number) => seconds > 0,
      },
    ),
    one('connect.recording', { source: 'DialVerb' }, { status: 'completed', called_user: FAY.name }),
  ],
}
