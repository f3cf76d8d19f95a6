import { answers, hangUp, hear, say } from '../people.ts'
import { addressOf, SIP_DOMAIN } from './company.ts'
import { one } from './expectation.ts'
import type { Scenario } from './scenario.ts'

const HAL = { name: 'Hal Irving', username: 'hal', phones: ['sip'], extension: '401' } as const
const JOY = { name: 'Joy King', username: 'joy', phones: ['web'], extension: '402' } as const

export const colleagues: Scenario = {
  name: 'colleagues',
  title: 'A person dials the extension of a colleague',
  company: { people: [HAL, JOY] },
  async play({ telco, phone }) {
    phone(addressOf(JOY, 'web'), answers([say('Joy here.'), hear('lunch'), hangUp()]))
    const acts = [hear('joy here'), say('Lunch?')]
    await telco.callFromSipPhone({ user: HAL.username, domain: SIP_DOMAIN, dialled: JOY.extension, acts })
  },
  expects: [
    one(
      'connect.call',
      { caller: HAL.extension },
      { direction: 'internal', status: 'completed', caller_user: HAL.name, answered_user: JOY.name },
    ),
  ],
}
